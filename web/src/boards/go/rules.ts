/** Go's rules for one move: captures, simple ko, no suicide. Points are counted by rows from the top left. */

export const EMPTY = 0;
export const BLACK = 1;
export const WHITE = 2;
export const PASS = -1;
export const NONE = -1;

export type Colour = 1 | 2;

/** A position; `ko` is the point where the next move may not take back at once, or NONE. Never changed once made. */
export interface Board {
  readonly size: number;
  readonly stones: Uint8Array;
  readonly ko: number;
}

export type Refusal = "occupied" | "ko" | "suicide";

export interface Played {
  readonly board: Board;
  readonly captured: readonly number[];
}

export function other(colour: Colour): Colour {
  return (3 - colour) as Colour;
}

export function makeBoard(size: number, black: readonly number[], white: readonly number[], ko = NONE): Board {
  const stones = new Uint8Array(size * size);
  for (const point of black) stones[point] = BLACK;
  for (const point of white) stones[point] = WHITE;
  return { size, stones, ko };
}

/** The position after a move, or why it may not be played. */
export function play(board: Board, point: number, colour: Colour): Played | Refusal {
  if (point === PASS) return { board: { ...board, ko: NONE }, captured: [] };
  if (board.stones[point] !== EMPTY) return "occupied";
  if (point === board.ko) return "ko";
  const stones = board.stones.slice();
  stones[point] = colour;
  const captured = capture(stones, board.size, point, colour);
  const own = chainAt(stones, board.size, point);
  if (own.liberties === 0) return "suicide";
  const isKo = captured.length === 1 && own.points.length === 1 && own.liberties === 1;
  return { board: { size: board.size, stones, ko: isKo ? captured[0]! : NONE }, captured };
}

/** Takes the opponent's chains without a liberty beside a point off the board; returns their stones. */
function capture(stones: Uint8Array, size: number, point: number, colour: Colour): number[] {
  const captured: number[] = [];
  for (const near of neighbours(size, point)) {
    if (stones[near] !== other(colour)) continue;
    const chain = chainAt(stones, size, near);
    if (chain.liberties > 0) continue;
    for (const stone of chain.points) stones[stone] = EMPTY;
    captured.push(...chain.points);
  }
  return captured;
}

/** The chain of the stone on a point, and how many liberties it has. */
function chainAt(stones: Uint8Array, size: number, point: number): { points: number[]; liberties: number } {
  const points = [point];
  const seen = new Set(points);
  let liberties = 0;
  for (const at of points) {
    for (const near of neighbours(size, at)) {
      if (seen.has(near)) continue;
      if (stones[near] === EMPTY) liberties += 1;
      if (stones[near] !== EMPTY && stones[near] !== stones[point]) continue;
      seen.add(near);
      if (stones[near] === stones[point]) points.push(near);
    }
  }
  return { points, liberties };
}

export function neighbours(size: number, point: number): number[] {
  const column = point % size;
  const found: number[] = [];
  if (point >= size) found.push(point - size);
  if (column > 0) found.push(point - 1);
  if (column < size - 1) found.push(point + 1);
  if (point < size * (size - 1)) found.push(point + size);
  return found;
}
