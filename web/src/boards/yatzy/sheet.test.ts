import { expect, test } from "vitest";
import { carryOver, column, heldBy, keepAction } from "./sheet";

test("held dice are an action and back", () => {
  expect(keepAction([false, false, false, false, false])).toBe(0);
  expect(keepAction([true, false, false, false, true])).toBe(17);
  expect(heldBy(17)).toEqual([true, false, false, false, true]);
});

test("a column has what was marked before a ply", () => {
  const marks = [
    [2, 0, 3, 12],
    [4, 1, 3, 8],
    [7, 0, 14, 0],
  ] as const;
  expect(column(marks, 0, 7, 15)[3]).toBe(12);
  expect(column(marks, 0, 7, 15)[14]).toBeNull();
  expect(column(marks, 0, 8, 15)[14]).toBe(0);
  expect(column(marks, 1, 8, 15)[3]).toBe(8);
});

test("what was held stays held when the dice are sorted anew", () => {
  expect(carryOver([1, 4, 4, 5, 6], [false, true, true, false, false], [2, 4, 4, 4, 6])).toEqual([false, true, true, false, false]);
  expect(carryOver([3, 3, 5, 6, 6], [false, false, false, true, true], [1, 2, 6, 6, 6])).toEqual([false, false, true, true, false]);
});
