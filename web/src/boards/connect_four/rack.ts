/** The rack as a string of cells, by rows from the top. */

export const COLUMNS = 7;
export const ROWS = 6;

/** The cell that a disc dropped into a column comes to rest in; -1 if the column is full. */
export function landing(cells: string, column: number): number {
  for (let row = ROWS - 1; row >= 0; row--) if (cells[row * COLUMNS + column] === ".") return row * COLUMNS + column;
  return -1;
}

/** The cell of the disc that was dropped last into a column. */
export function topDisc(cells: string, column: number): number {
  for (let row = 0; row < ROWS; row++) if (cells[row * COLUMNS + column] !== ".") return row * COLUMNS + column;
  return -1;
}
