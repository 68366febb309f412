import { describe, expect, test } from "vitest";
import { niceTicks, percent, place, short, withRoom } from "./scale";

describe("ticks", () => {
  test("are round numbers within the limits", () => {
    expect(niceTicks(0, 1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(niceTicks(197.3, 208.1)).toEqual([200, 205]);
    expect(niceTicks(-0.4, 0.4)).toEqual([-0.4, -0.2, 0, 0.2, 0.4]);
  });

  test("of nothing are the one number there is", () => {
    expect(niceTicks(3, 3)).toEqual([3]);
  });
});

test("limits leave room, but numbers above zero stay there", () => {
  expect(withRoom(0.01, 1)[0]).toBe(0);
  expect(withRoom(-1, 1)).toEqual([-1.16, 1.16]);
  expect(withRoom(5, 5)).toEqual([4.5, 5.5]);
});

test("a number has its place between the ends", () => {
  expect(place(5, [0, 10], 100, 200)).toBe(150);
  expect(place(0, [0, 10], 200, 100)).toBe(200);
  expect(place(7, [7, 7], 0, 10)).toBe(5);
});

test("numbers are short", () => {
  expect([short(1234), short(12345), short(2_500_000), short(0.12345)]).toEqual(["1234", "12.35k", "2.5M", "0.1235"]);
  expect(percent(0.375)).toBe("37.5%");
});
