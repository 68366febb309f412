/** /api/puzzles and /api/review, with the types of what they say. */

import { ask } from "./client";

export type Decision = "open" | "approved" | "deleted";

/** The list of all puzzles by columns: entry i of each is about puzzle i. */
export interface PuzzleIndex {
  readonly file: string;
  readonly ranks: readonly string[];
  readonly names: readonly string[];
  readonly rank: readonly number[];
  readonly score: readonly number[];
  readonly is_proved: readonly number[];
  readonly is_white: readonly number[];
  readonly is_kill: readonly number[];
  readonly tags: readonly string[];
  readonly tagged: readonly (readonly number[])[];
  readonly problems: readonly string[];
  readonly decisions: Readonly<Record<string, Decision>>;
}

/** A move (a point, -1 is a pass) and the replies to it, the first one first. */
export type Branch = readonly [number, readonly Branch[]];

export interface Puzzle {
  readonly name: string;
  readonly position: {
    readonly size: number;
    readonly black: readonly number[];
    readonly white: readonly number[];
    readonly marked: readonly number[];
    readonly side: 1 | 2;
    readonly ko: number | null;
  };
  readonly right: Branch;
  readonly wrong: readonly Branch[];
  readonly difficulty: string;
  readonly tags: readonly string[];
  readonly facts: PuzzleFacts;
  readonly sgf: string;
}

export interface PuzzleFacts {
  readonly puzzle_id: string;
  readonly orientation: number;
  readonly side: "black" | "white";
  readonly goal: "live" | "kill";
  readonly verification: "proved" | "engine";
  readonly proof: string | null;
  readonly engine: string;
  readonly network: string | null;
  readonly budget: number;
  readonly generator: string;
  readonly source: string;
  readonly source_sgf_hash: string;
  readonly original_move_number: number;
  /** A stone of the game that the position is without, and stones that the game did not have there: SGF points. */
  readonly left_out: string | null;
  readonly added: readonly string[];
  readonly katago_winrate_drop: number | null;
  readonly score_loss: number | null;
  readonly difficulty_score: number;
  readonly difficulty_parts: Readonly<Record<string, number>>;
}

export const fetchIndex = () => ask<PuzzleIndex>("/api/puzzles");
export const fetchPuzzle = (name: string) => ask<Puzzle>(`/api/puzzles/${encodeURIComponent(name)}`);
export const decide = (puzzle: string, decision: Decision) => ask<unknown>("/api/review", { puzzle, decision });
export const undo = () => ask<{ puzzle: string | null; decision: Decision | null }>("/api/review/undo", {});
