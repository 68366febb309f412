/** Where things are on a Go board, in CSS pixels. */

import { isInside, type View } from "./points";

/** The size of a cell, and the margins around the points that are shown. */
export interface Layout {
  readonly size: number;
  readonly view: View;
  readonly cell: number;
  readonly margin: number;
  readonly width: number;
  readonly height: number;
}

export const MARGIN = 0.62; // of a cell, for the coordinates, outside the half cell that a stone needs

export function layOut(size: number, view: View, width: number, height: number, largest = 64): Layout {
  const columns = view.right - view.left + 1;
  const rows = view.bottom - view.top + 1;
  const fits = Math.min(width / (columns + 2 * MARGIN), height / (rows + 2 * MARGIN), largest);
  const cell = Math.max(12, Math.floor(fits));
  const margin = Math.round(cell * MARGIN);
  return { size, view, cell, margin, width: columns * cell + 2 * margin, height: rows * cell + 2 * margin };
}

export function xOf(layout: Layout, column: number): number {
  return layout.margin + (column - layout.view.left + 0.5) * layout.cell;
}

export function yOf(layout: Layout, row: number): number {
  return layout.margin + (row - layout.view.top + 0.5) * layout.cell;
}

/** The point under a place, or -1. */
export function pointAt(layout: Layout, x: number, y: number): number {
  const column = Math.round((x - layout.margin) / layout.cell - 0.5) + layout.view.left;
  const row = Math.round((y - layout.margin) / layout.cell - 0.5) + layout.view.top;
  return isInside(layout.view, row, column) ? row * layout.size + column : -1;
}
