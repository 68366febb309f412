/** A run's curves as the chart draws them, over iterations, games or minutes; and those of several runs in one chart. */

import type { RunChart } from "../api/runs";
import type { Series } from "../design/Chart";

export type Axis = "iteration" | "games" | "minutes";

export const AXES: Record<Axis, string> = { iteration: "iterations", games: "games of self-play", minutes: "minutes of work" };

export function seriesOf(chart: RunChart, name: string, tone: number, axis: Axis = "iteration"): Series {
  const dots = chart.points.map((point) => ({
    x: point[axis],
    y: point.y,
    low: point.low,
    high: point.high,
    words: point.words,
    isFilled: point.is_filled,
  }));
  return { name, tone, dots };
}

export interface Overlay {
  readonly chart: RunChart;
  readonly series: readonly Series[];
}

/** A chart for each curve that any of the runs has; a run keeps its tone in all of them. */
export function overlay(runs: readonly { name: string; charts: readonly RunChart[] }[], axis: Axis): Overlay[] {
  const keys = [...new Set(runs.flatMap(({ charts }) => charts.map(({ key }) => key)))];
  return keys.map((key) => {
    const found = runs.flatMap(({ name, charts }, i) => {
      const chart = charts.find((each) => each.key === key);
      return chart ? [{ chart, series: seriesOf(chart, name, i + 1, axis) }] : [];
    });
    return { chart: found[0]!.chart, series: found.map(({ series }) => series) };
  });
}
