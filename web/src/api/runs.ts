/** /api/runs and /api/compare, with the types of what they say. */

import { ask } from "./client";

export interface Strength {
  readonly figure: string;
  readonly words: string;
  readonly interval: string;
}

/** A row in the list; of a run that can't be read, the name and the problem alone. */
export interface RunRow {
  readonly name: string;
  readonly problem: string | null;
  readonly game: string;
  readonly state: RunStateName;
  readonly text: string;
  readonly since_ms: number;
  readonly iterations_done: number;
  readonly iterations: number;
  readonly games: number;
  readonly strength: Strength | null;
  readonly has_best: boolean;
}

export type RunStateName = "new" | "running" | "stopped" | "failed" | "done";

export interface ChartPoint {
  readonly iteration: number;
  readonly games: number;
  readonly minutes: number;
  readonly y: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly words: string;
  readonly is_filled: boolean;
}

export interface RunChart {
  readonly key: string;
  readonly group: "strength" | "losses" | "games" | "rates";
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  readonly is_share: boolean;
  readonly has_line: boolean;
  readonly reference: readonly [number, string] | null;
  readonly limits: readonly [number, number] | null;
  readonly points: readonly ChartPoint[];
}

export interface RunPageData extends RunRow {
  readonly version: string;
  readonly figures: readonly (readonly [string, string])[];
  readonly charts: readonly RunChart[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly facts: Readonly<Record<string, string>>;
}

export interface Phase {
  readonly name: string;
  readonly title: string;
  readonly state: "done" | "now" | "open";
  readonly seconds: number;
  readonly done?: number;
  readonly total?: number;
  readonly rate?: number | null;
  readonly left?: number | null;
}

export interface EventLine {
  readonly time_ms: number | null;
  readonly iteration: number | null;
  readonly title: string;
  readonly words: string;
  readonly is_promotion: boolean;
  readonly is_trouble: boolean;
}

export interface LiveRun {
  readonly version: string;
  readonly state: RunStateName;
  readonly text: string;
  readonly since_ms: number;
  readonly iteration: number;
  readonly phases: readonly Phase[];
  readonly facts: Readonly<Record<string, string>>;
  readonly rss_bytes: number;
  readonly events: { readonly next: number; readonly lines: readonly EventLine[] };
}

export interface Comparison {
  readonly runs: readonly Omit<RunPageData, "columns" | "rows" | "facts">[];
  readonly differences: readonly { readonly setting: string; readonly values: readonly unknown[] }[];
}

const at = encodeURIComponent;

export const fetchRuns = () => ask<{ folder: string; runs: RunRow[] }>("/api/runs");
export const fetchRun = (name: string) => ask<RunPageData>(`/api/runs/${at(name)}`);
export const fetchLive = (name: string, after: number) => ask<LiveRun>(`/api/runs/${at(name)}/live?after=${after}`);
export const fetchComparison = (names: readonly string[]) =>
  ask<Comparison>(`/api/compare?${names.map((name) => `run=${at(name)}`).join("&")}`);
