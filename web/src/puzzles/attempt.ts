/** An attempt at a puzzle: where in its tree one stands, and what may truly be said about it.
 *
 * The tree's first moves are the right one and refuted wrong ones. `path` has the number of the child taken at each step. Only
 * the first move is known to be the one right move; below it the tree has one answer that works, not all of them.
 */

import type { Branch, Puzzle } from "../api/puzzles";
import { pointName } from "../boards/go/points";
import { BLACK, NONE, PASS, type Board, type Colour, makeBoard, other, play } from "../boards/go/rules";

export type Tone = "ask" | "good" | "solved" | "bad" | "unknown";

export interface Attempt {
  readonly puzzle: Puzzle;
  readonly path: readonly number[];
  readonly isPlaying: boolean; // the opponent answers by itself
  readonly remark: { readonly tone: Tone; readonly text: string } | null; // about a move that was not played
}

export interface Move {
  readonly point: number;
  readonly colour: Colour;
  readonly isAfterThreat: boolean; // it takes a ko back, which only a threat elsewhere and its answer allow
}

/** The position that a path leads to, and the moves that led there. */
export interface Standing {
  readonly board: Board;
  readonly moves: readonly Move[];
  readonly toPlay: Colour;
  readonly next: readonly Branch[];
}

export const SIDES = { 1: "Black", 2: "White" } as const;

export function begin(puzzle: Puzzle): Attempt {
  return { puzzle, path: [], isPlaying: false, remark: null };
}

export function standing({ puzzle, path }: Pick<Attempt, "puzzle" | "path">): Standing {
  const { size, black, white, side, ko } = puzzle.position;
  let board = makeBoard(size, black, white, ko ?? NONE);
  let next: readonly Branch[] = [puzzle.right, ...puzzle.wrong];
  const moves: Move[] = [];
  let colour: Colour = side;
  for (const number of path) {
    const [point, replies] = next[number]!;
    const isAfterThreat = point === board.ko && point !== PASS;
    const played = play({ ...board, ko: NONE }, point, colour);
    if (typeof played === "string") throw new Error(`the tree's move ${pointName(size, point)} is not legal (${played})`);
    board = played.board;
    moves.push({ point, colour, isAfterThreat });
    colour = other(colour);
    next = replies;
  }
  return { board, moves, toPlay: colour, next };
}

// ------------------------------------------------------------------ what can be done

/** The attempt after a move on the board. */
export function playAt(attempt: Attempt, point: number): Attempt {
  const { board, toPlay, next } = standing(attempt);
  const number = next.findIndex(([move]) => move === point);
  if (number >= 0) return { ...attempt, path: [...attempt.path, number], isPlaying: true, remark: null };
  const played = play(board, point, toPlay);
  if (typeof played === "string") return { ...attempt, remark: { tone: "ask", text: refusalWords(board.size, point, played) } };
  return { ...attempt, remark: strangerWords(attempt, point) };
}

/** One move further along the tree, by its first replies. */
export function stepForward(attempt: Attempt): Attempt {
  const { next } = standing(attempt);
  return next.length ? { ...attempt, path: [...attempt.path, 0], remark: null } : { ...attempt, remark: null };
}

/** One move back; the opponent no longer answers by itself. */
export function stepBack(attempt: Attempt): Attempt {
  return { ...attempt, path: attempt.path.slice(0, -1), isPlaying: false, remark: null };
}

export function jumpTo(attempt: Attempt, path: readonly number[]): Attempt {
  return { ...attempt, path, isPlaying: false, remark: null };
}

/** Whether the tree goes on by itself: the opponent's answer to a right move, or all of a refutation. */
export function goesOn(attempt: Attempt): boolean {
  const { next } = standing(attempt);
  if (!attempt.isPlaying || !next.length) return false;
  return isWrong(attempt) || attempt.path.length % 2 === 1;
}

export function isWrong({ path }: Attempt): boolean {
  return path.length > 0 && path[0]! > 0;
}

export function isSolved(attempt: Attempt): boolean {
  return attempt.path[0] === 0 && !standing(attempt).next.length;
}

// ------------------------------------------------------------------ what is said

export function goalWords(puzzle: Puzzle): string {
  return `${SIDES[puzzle.position.side]} to play and ${puzzle.facts.goal}`;
}

export function words(attempt: Attempt): { tone: Tone; text: string } {
  if (attempt.remark) return attempt.remark;
  const { puzzle, path } = attempt;
  if (!path.length) return { tone: "ask", text: `Where does ${SIDES[puzzle.position.side]} play?` };
  const { moves, next, toPlay } = standing(attempt);
  if (isWrong(attempt)) return { tone: "bad", text: wrongWords(attempt, moves, next.length === 0) };
  if (!next.length) return { tone: "solved", text: solvedWords(attempt) };
  if (toPlay !== puzzle.position.side) return { tone: "good", text: `${named(puzzle, moves.at(-1)!.point)} is right.` };
  const passes = moves.at(-1)!.point === PASS ? `${SIDES[other(toPlay)]} plays elsewhere. ` : "";
  return { tone: "good", text: `${passes}${SIDES[toPlay]} to play.` };
}

function solvedWords({ puzzle, isPlaying }: Attempt): string {
  const { side } = puzzle.position;
  const end = puzzle.facts.goal === "live" ? `${SIDES[side]} lives` : `${SIDES[other(side)]} is dead`;
  return isPlaying ? `Solved: ${end}.` : `End of the line: ${end}.`;
}

function wrongWords({ puzzle }: Attempt, moves: readonly Move[], isEnd: boolean): string {
  const first = named(puzzle, moves[0]!.point);
  const { side } = puzzle.position;
  const outcome = puzzle.facts.goal === "live" ? `${SIDES[side]} dies` : `${SIDES[other(side)]} lives`;
  if (moves.length === 1) return isEnd ? `${first} is wrong: ${outcome} without an answer.` : `${first} is wrong.`;
  const refuted = `${first} is wrong: ${SIDES[moves[1]!.colour]} ${named(puzzle, moves[1]!.point)} refutes it`;
  return isEnd ? `${refuted}, and ${outcome}.` : `${refuted}.`;
}

/** What is known about a move that the tree doesn't have. */
function strangerWords({ puzzle, path }: Attempt, point: number): { tone: Tone; text: string } {
  const name = named(puzzle, point);
  if (path.length) {
    const what = path.length % 2 ? "The tree has no answer to it." : "Only the first move is known to be the one right move.";
    return { tone: "unknown", text: `${name} isn't in the tree. ${what}` };
  }
  if (puzzle.facts.verification === "proved") {
    return {
      tone: "bad",
      text: `${name} is wrong: it is proved that every other first move fails. No refutation is kept for it.`,
    };
  }
  return { tone: "unknown", text: `${name} isn't in the tree, so nothing is known about it: an engine judged this puzzle.` };
}

function refusalWords(size: number, point: number, refusal: "occupied" | "ko" | "suicide"): string {
  const name = pointName(size, point);
  if (refusal === "ko") return `${name} would take back a ko at once.`;
  return refusal === "suicide" ? `${name} would be suicide.` : `A stone stands on ${name}.`;
}

function named(puzzle: Puzzle, point: number): string {
  return point === PASS ? "pass" : pointName(puzzle.position.size, point);
}

/** All points of a tree, for the part of the board to show. */
export function treePoints(puzzle: Puzzle): number[] {
  const found: number[] = [];
  const waiting: Branch[] = [puzzle.right, ...puzzle.wrong];
  for (const [point, replies] of waiting) {
    found.push(point);
    waiting.push(...replies);
  }
  return found.filter((point) => point !== PASS);
}

/** The position in words, for those who don't see the board. */
export function positionWords(puzzle: Puzzle, board: Board): string {
  const list = (colour: number) =>
    [...board.stones].flatMap((stone, point) => (stone === colour ? [pointName(board.size, point)] : [])).join(" ");
  return `${goalWords(puzzle)}. Black: ${list(BLACK)}. White: ${list(3 - BLACK)}. Arrow keys move the cursor, Enter plays.`;
}
