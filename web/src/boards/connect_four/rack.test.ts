import { expect, test } from "vitest";
import { landing, topDisc } from "./rack";

const CELLS = [".......", "......o", "......x", "......o", "...x..x", "..xo..o"].join("");

test("a disc falls on what is there", () => {
  expect(landing(CELLS, 0)).toBe(35);
  expect(landing(CELLS, 3)).toBe(24);
  expect(landing(CELLS, 6)).toBe(6);
  expect(landing(CELLS.replace(/^......\./, "......x"), 6)).toBe(-1);
});

test("the last disc of a column is its highest", () => {
  expect(topDisc(CELLS, 6)).toBe(13);
  expect(topDisc(CELLS, 3)).toBe(31);
  expect(topDisc(CELLS, 0)).toBe(-1);
});
