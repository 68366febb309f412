import { describe, expect, test } from "vitest";
import type { Branch, Puzzle } from "../api/puzzles";
import {
  begin,
  goesOn,
  isSolved,
  isWrong,
  jumpTo,
  playAt,
  positionWords,
  standing,
  stepBack,
  stepForward,
  treePoints,
  words,
} from "./attempt";

/** White's three in a row on the lowest line of 9 lines, Black kills in the middle; points: C1 74, D1 75, E1 76. */
function puzzle(verification: "proved" | "engine" = "proved", wrong?: Branch[]): Puzzle {
  const [row7, row8] = [7 * 9, 8 * 9];
  return {
    name: "p",
    position: {
      size: 9,
      white: [row7 + 1, row7 + 2, row7 + 3, row7 + 4, row7 + 5, row8 + 1, row8 + 5],
      black: [row7, row8, row7 + 6, row8 + 6, ...[0, 1, 2, 3, 4, 5, 6].map((at) => 6 * 9 + at)],
      marked: [row7 + 1],
      side: 1,
      ko: null,
    },
    right: [
      row8 + 3,
      [
        [row8 + 2, [[row8 + 4, []]]],
        [row8 + 4, [[row8 + 2, []]]],
      ],
    ],
    wrong: wrong ?? [[row8 + 2, [[row8 + 3, []]]]],
    difficulty: "15k",
    tags: [],
    facts: { goal: "kill", verification } as Puzzle["facts"],
    sgf: "",
  };
}

const [C1, D1, E1, H9] = [74, 75, 76, 7];

describe("a right move", () => {
  test("is answered, and the last one solves", () => {
    let attempt = playAt(begin(puzzle()), D1);
    expect(words(attempt)).toEqual({ tone: "good", text: "D1 is right." });
    expect(goesOn(attempt)).toBe(true);
    attempt = stepForward(attempt);
    expect(goesOn(attempt)).toBe(false);
    expect(words(attempt).text).toBe("Black to play.");
    attempt = playAt(attempt, E1);
    expect(isSolved(attempt)).toBe(true);
    expect(words(attempt)).toEqual({ tone: "solved", text: "Solved: White is dead." });
  });

  test("an opponent who plays elsewhere says so", () => {
    const attempt = stepForward(playAt(begin({ ...puzzle(), right: [D1, [[-1, [[C1, []]]]]] }), D1));
    expect(words(attempt).text).toBe("White plays elsewhere. Black to play.");
  });

  test("the opponent's other answers can be played, too", () => {
    const attempt = playAt(jumpTo(begin(puzzle()), [0]), E1);
    expect(attempt.path).toEqual([0, 1]);
  });
});

describe("a wrong move", () => {
  test("is refuted to the end", () => {
    let attempt = playAt(begin(puzzle()), C1);
    expect(isWrong(attempt)).toBe(true);
    expect(words(attempt)).toEqual({ tone: "bad", text: "C1 is wrong." });
    while (goesOn(attempt)) attempt = stepForward(attempt);
    expect(words(attempt)).toEqual({ tone: "bad", text: "C1 is wrong: White D1 refutes it, and White lives." });
    expect(isSolved(attempt)).toBe(false);
  });

  test("without an answer is still wrong", () => {
    const attempt = playAt(begin(puzzle("proved", [[C1, []]])), C1);
    expect(words(attempt).text).toBe("C1 is wrong: White lives without an answer.");
  });
});

describe("a move that the tree doesn't have", () => {
  test("is wrong where it is proved", () => {
    const attempt = playAt(begin(puzzle("proved")), H9);
    expect(attempt.path).toEqual([]);
    expect(words(attempt)).toMatchObject({ tone: "bad" });
    expect(words(attempt).text).toContain("it is proved that every other first move fails");
  });

  test("is unknown where an engine judged", () => {
    expect(words(playAt(begin(puzzle("engine")), H9))).toMatchObject({ tone: "unknown" });
  });

  test("is unknown after the first move, proved or not", () => {
    const attempt = playAt(jumpTo(begin(puzzle("proved")), [0, 0]), H9);
    expect(words(attempt)).toMatchObject({ tone: "unknown" });
    expect(attempt.path).toEqual([0, 0]);
  });

  test("on a stone is refused", () => {
    expect(words(playAt(begin(puzzle()), 72)).text).toBe("A stone stands on A1.");
  });
});

test("a tree may take a ko back, which says that a threat was played; a reader may not", () => {
  const ko: Puzzle = {
    ...puzzle(),
    position: { size: 4, black: [1, 4, 6, 9], white: [2, 7, 10], marked: [1], side: 2, ko: null },
    right: [5, [[6, [[0, []]]]]],
    wrong: [],
  };
  const taken = playAt(begin(ko), 5);
  expect(standing(taken).board.ko).toBe(6);
  expect(standing(stepForward(taken)).moves.map((move) => move.isAfterThreat)).toEqual([false, true]);
  expect(words(playAt(jumpTo(begin({ ...ko, right: [5, []] }), [0]), 6)).text).toBe("C3 would take back a ko at once.");
});

test("steps lead through the solution and back", () => {
  let attempt = begin(puzzle());
  for (let step = 0; step < 5; step++) attempt = stepForward(attempt);
  expect(attempt.path).toEqual([0, 0, 0]);
  expect(words(attempt).text).toBe("End of the line: White is dead.");
  for (let step = 0; step < 5; step++) attempt = stepBack(attempt);
  expect(attempt.path).toEqual([]);
  expect(standing(attempt).moves).toEqual([]);
});

test("all points of the tree are shown, and the position is told", () => {
  expect(new Set(treePoints(puzzle()))).toEqual(new Set([C1, D1, E1]));
  expect(positionWords(puzzle(), standing(begin(puzzle())).board)).toMatch(/^Black to play and kill\. Black: A3 .* White: B2/);
});
