import { describe, expect, test } from "vitest";
import { pointName, sgfPointName, starPoints, viewAround, wholeBoard } from "./points";
import { layOut, pointAt, xOf, yOf } from "./layout";
import { BLACK, NONE, PASS, WHITE, makeBoard, play, type Board, type Colour } from "./rules";
import cases from "./rules.cases.json";

const REASONS = { o: "occupied", k: "ko", s: "suicide" } as const;

function stonesOf(board: Board): string {
  return [...board.stones].map((stone) => ".XO"[stone]).join("");
}

/** A drawn position: X is Black, O is White. */
function drawn(text: string): Board {
  const rows = text
    .trim()
    .split("\n")
    .map((row) => row.trim().split(" "));
  const points = (mark: string) => rows.flat().flatMap((each, point) => (each === mark ? [point] : []));
  return makeBoard(rows.length, points("X"), points("O"));
}

describe("games of the board kernels", () => {
  test.each(cases.map((each, number) => [number, each.size, each] as const))("case %i on %i lines", (_, size, { steps }) => {
    let board = makeBoard(size, [], []);
    for (const step of steps) {
      for (const colour of [BLACK, WHITE] as const) {
        const legal = step.legal[colour - 1]!;
        for (let point = 0; point < size * size; point++) {
          const played = play(board, point, colour);
          const expected = legal[point] === "1" ? "1" : REASONS[legal[point] as keyof typeof REASONS];
          expect(typeof played === "string" ? played : "1").toBe(expected);
        }
      }
      const played = play(board, step.point, step.colour as Colour);
      if (typeof played === "string") throw new Error(played);
      board = played.board;
      expect(stonesOf(board)).toBe(step.after);
      expect(board.ko).toBe(step.ko);
    }
  });

  test("they have kos and suicides, or they would show nothing", () => {
    const letters = cases.flatMap(({ steps }) => steps.flatMap(({ legal }) => legal)).join("");
    expect(letters).toContain("k");
    expect(letters).toContain("s");
  });
});

test("a pass lifts the ko", () => {
  const board = drawn(`
    . X O .
    X . X O
    . X O .
    . . . .`);
  const taken = play(board, 5, WHITE);
  if (typeof taken === "string") throw new Error(taken);
  expect(taken.captured).toEqual([6]);
  expect(play(taken.board, 6, BLACK)).toBe("ko");
  const passed = play(taken.board, PASS, BLACK);
  if (typeof passed === "string") throw new Error(passed);
  expect(passed.board.ko).toBe(NONE);
  expect(typeof play(passed.board, 6, BLACK)).toBe("object");
});

test("a move leaves the board that it was played on as it was", () => {
  const board = drawn(". X\n. .");
  play(board, 0, WHITE);
  expect(stonesOf(board)).toBe(".X..");
});

describe("points", () => {
  test("are named without I, from below", () => {
    expect([0, 8, 18, 18 * 19, 360].map((point) => pointName(19, point))).toEqual(["A19", "J19", "T19", "A1", "T1"]);
    expect(pointName(19, PASS)).toBe("pass");
    expect(["aa", "is", "js", "ss"].map((point) => sgfPointName(19, point))).toEqual(["A19", "J1", "K1", "T1"]);
  });

  test("have as many stars as a board has", () => {
    expect([9, 13, 19, 5, 4].map((size) => starPoints(size).length)).toEqual([5, 5, 9, 1, 0]);
  });

  test("a corner problem shows its corner and cuts the rest off", () => {
    const view = viewAround(19, [18 * 19, 16 * 19 + 5]);
    expect(view).toEqual({ top: 12, left: 0, bottom: 18, right: 7 });
  });

  test("stones all over a board show all of it", () => {
    expect(viewAround(9, [10, 70])).toEqual(wholeBoard(9));
    expect(viewAround(19, [])).toEqual(wholeBoard(19));
  });

  test("a place on the screen is the point that is drawn there", () => {
    const layout = layOut(19, { top: 12, left: 0, bottom: 18, right: 7 }, 600, 500);
    for (const point of [18 * 19, 12 * 19 + 7, 15 * 19 + 3]) {
      const [x, y] = [xOf(layout, point % 19), yOf(layout, Math.floor(point / 19))];
      expect(pointAt(layout, x + layout.cell * 0.4, y - layout.cell * 0.4)).toBe(point);
    }
    expect(pointAt(layout, -30, 20)).toBe(-1);
    expect(layout.width).toBeLessThanOrEqual(600);
    expect(layout.height).toBeLessThanOrEqual(500);
  });
});
