/** /api/runs/NAME/games, with the types of what it says. */

import type { BoardView, History } from "../boards/view";
import { ask } from "./client";

/** A file of games, numbered through from `first`. */
export interface GamesFile {
  readonly file: string;
  readonly iteration: number;
  readonly first: number;
  readonly games: number;
  readonly players: readonly string[];
}

export interface RecordedMove {
  readonly seat: number;
  readonly who: string; // "" where nobody wrote it down
  readonly action: number;
  readonly text: string;
  readonly told: string;
  readonly value: number | null; // to player 0
  readonly own_value: number | null; // to the mover
  readonly policy: readonly { readonly text: string; readonly action: number; readonly policy: number }[];
}

export interface BoardRecord extends History {
  readonly game: string;
  readonly number: number;
  readonly seed: string;
  readonly source: string;
  readonly won: readonly number[] | null; // the seats, all of them in a draw; null while the game goes on
  readonly moves: readonly RecordedMove[];
  readonly boards: readonly BoardView[];
}

export interface DiplomacyPhase {
  readonly title: string;
  readonly orders: Readonly<Record<string, readonly string[]>>;
  readonly values: Readonly<Record<string, number>>;
  readonly centres: Readonly<Record<string, number>>;
}

export interface DiplomacyRecord {
  readonly game: "diplomacy";
  readonly number: number;
  readonly seed: string;
  readonly source: string;
  readonly result: string;
  readonly final: Readonly<Record<string, number>>;
  readonly phases: readonly DiplomacyPhase[];
}

export type GameRecord = BoardRecord | DiplomacyRecord;

const at = (run: string) => `/api/runs/${encodeURIComponent(run)}/games`;

export const fetchFiles = (run: string) => ask<{ game: string; files: GamesFile[] }>(at(run));
export const fetchGame = (run: string, file: string, number: string) => ask<GameRecord>(`${at(run)}/${file}/${number}`);
export const fetchMap = (run: string, file: string, number: string, phase: number) =>
  ask<{ svg: string }>(`${at(run)}/${file}/${number}/map/${phase}`);
