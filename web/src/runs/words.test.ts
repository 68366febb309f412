import { expect, test } from "vitest";
import { ago, duration, memory, valueText } from "./words";

test("times are said as people say them", () => {
  expect([0.42, 3, 12.4, 90, 7300].map(duration)).toEqual(["0.4 s", "3 s", "12 s", "1.5 min", "2.0 h"]);
  expect([ago(1000, 4000), ago(0, 30_000), ago(0, 3_250_000), ago(0, 3 * 86_400_000)]).toEqual(["just now", "30 s ago", "54 min ago", "3 d ago"]);
});

test("memory and settings are short", () => {
  expect([memory(524_288_000), memory(2 ** 31)]).toEqual(["500 MiB", "2.0 GiB"]);
  expect([null, "puct", 3, [1, 2], true].map(valueText)).toEqual(["–", "puct", "3", "[1,2]", "true"]);
});
