/** Points of a Go board as people say them, and the part of the board that a problem needs. */

import { PASS } from "./rules";

export const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const PADDING = 2; // empty lines around the stones
const NEAR = 2; // an edge that is this near is shown
const SMALLEST = 7; // lines, so that a stone isn't as large as a hand

/** Rows and columns that are shown, all included. */
export interface View {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** A point such as D4: letters without I from the left, numbers from below. */
export function pointName(size: number, point: number): string {
  if (point === PASS) return "pass";
  return `${LETTERS[point % size]}${size - Math.floor(point / size)}`;
}

/** The same for a point in SGF: letters from the left and from the top. */
export function sgfPointName(size: number, point: string): string {
  const [column, row] = [...point].map((letter) => letter.charCodeAt(0) - "a".charCodeAt(0));
  return pointName(size, row! * size + column!);
}

/** The star points. */
export function starPoints(size: number): number[] {
  const middle = (size - 1) / 2;
  if (size < 7) return size % 2 && size > 3 ? [middle * size + middle] : [];
  const edge = size < 13 ? 2 : 3;
  const lines = size % 2 && size > 13 ? [edge, middle, size - 1 - edge] : [edge, size - 1 - edge];
  const points = lines.flatMap((row) => lines.map((column) => row * size + column));
  return size % 2 && lines.length === 2 ? [...points, middle * size + middle] : points;
}

export function wholeBoard(size: number): View {
  return { top: 0, left: 0, bottom: size - 1, right: size - 1 };
}

/** The part of the board around these points: some lines more on each side, up to an edge that is near. */
export function viewAround(size: number, points: readonly number[]): View {
  const used = points.filter((point) => point !== PASS);
  if (!used.length) return wholeBoard(size);
  const [top, bottom] = span(
    size,
    used.map((point) => Math.floor(point / size)),
  );
  const [left, right] = span(
    size,
    used.map((point) => point % size),
  );
  return { top, left, bottom, right };
}

function span(size: number, lines: number[]): [number, number] {
  let first = Math.max(0, Math.min(...lines) - PADDING);
  let last = Math.min(size - 1, Math.max(...lines) + PADDING);
  if (first < NEAR) first = 0;
  if (last > size - 1 - NEAR) last = size - 1;
  while (last - first + 1 < Math.min(SMALLEST, size)) {
    first = Math.max(0, first - 1);
    last = Math.min(size - 1, last + 1);
  }
  return [first, last];
}

export function isInside(view: View, row: number, column: number): boolean {
  return row >= view.top && row <= view.bottom && column >= view.left && column <= view.right;
}
