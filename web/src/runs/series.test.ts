import { expect, test } from "vitest";
import type { RunChart } from "../api/runs";
import { overlay, seriesOf } from "./series";

function chart(key: string, ys: readonly number[]): RunChart {
  const points = ys.map((y, i) => ({
    iteration: i + 1,
    games: 64 * (i + 1),
    minutes: 0.5 * (i + 1),
    y,
    low: y - 1,
    high: y + 1,
    words: `iteration ${i + 1}`,
    is_filled: i > 0,
  }));
  const look = { note: "", unit: "", is_share: false, has_line: true, reference: null, limits: null };
  return { key, group: "strength", title: key, points, ...look };
}

test("a curve is drawn over what was asked for", () => {
  expect(seriesOf(chart("a", [5, 6]), "mine", 1, "games").dots.map(({ x, y }) => [x, y])).toEqual([
    [64, 5],
    [128, 6],
  ]);
});

test("runs share a chart where they share a curve, each in its own tone", () => {
  const found = overlay(
    [
      { name: "one", charts: [chart("a", [1]), chart("b", [2])] },
      { name: "two", charts: [chart("b", [3])] },
    ],
    "minutes",
  );
  expect(found.map(({ chart, series }) => [chart.key, series.map(({ name, tone }) => `${name} ${tone}`)])).toEqual([
    ["a", ["one 1"]],
    ["b", ["one 1", "two 2"]],
  ]);
});
