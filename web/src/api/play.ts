/** /api/play, with the types of what it says. */

import type { BoardView, History, Legal } from "../boards/view";
import { ask } from "./client";
import type { BoardRecord } from "./games";

export interface Opponent {
  readonly name: string;
  readonly kind: "bot" | "pretrained" | "model" | "run";
  readonly note: string; // how strong it is, where that was measured
}

export interface GameChoice {
  readonly name: string;
  readonly title: string;
  readonly players: number;
  readonly opponents: readonly Opponent[];
}

export interface TableRow {
  readonly name: string;
  readonly game: string;
  readonly against: string;
  readonly moves: number;
  readonly is_over: boolean;
  readonly lead: number | null;
  readonly changed_ms: number;
}

/** An action as a search sees it; null where it has nothing to say. */
export interface Judged {
  readonly action: number;
  readonly text: string;
  readonly policy: number;
  readonly visits: number | null;
  readonly value: number | null;
  readonly prior: number | null;
  readonly oracle?: number | null;
  readonly regret?: number | null;
  readonly is_best?: boolean | null;
}

export interface TableMove {
  readonly seat: number;
  readonly action: number;
  readonly text: string;
  readonly told: string;
  readonly regret: number | null;
  readonly thought: { readonly values: readonly (number | null)[]; readonly rows: readonly Judged[] } | null;
}

export interface TableData extends History {
  readonly name: string;
  readonly game: string;
  readonly title: string;
  readonly seat: number;
  readonly names: readonly string[];
  readonly opponent: string;
  readonly simulations: number;
  readonly ply: number;
  readonly to_move: number | null;
  readonly is_over: boolean;
  readonly is_thinking: boolean;
  readonly problem: string;
  readonly first: number;
  readonly boards: readonly BoardView[];
  readonly moves: readonly TableMove[];
  readonly legal: readonly Legal[];
  readonly result: { readonly lead: number; readonly returns: readonly number[] } | null;
}

export interface Opinion {
  readonly ply: number;
  readonly kind: string;
  readonly model: string | null;
  readonly is_own: boolean; // the opponent's
  readonly values: readonly (number | null)[];
  readonly rows: readonly Judged[];
}

export interface NewTable {
  readonly game: string;
  readonly against: string;
  readonly seat: number;
  readonly simulations: number;
}

const at = (name: string) => `/api/play/${encodeURIComponent(name)}`;

export const fetchLobby = () => ask<{ games: GameChoice[]; tables: TableRow[] }>("/api/play");
export const beginTable = (wish: NewTable) => ask<{ name: string }>("/api/play", wish);
export const beginAgain = (name: string) => ask<{ name: string }>(`${at(name)}/again`, {});
export const fetchTable = (name: string, shown: number) => ask<TableData>(`${at(name)}?shown=${shown}`);
export const fetchRecord = (name: string) => ask<BoardRecord>(`${at(name)}/record`);
export const sendMove = (name: string, ply: number, action: number) =>
  ask<TableData>(`${at(name)}/move?shown=${ply}`, { ply, action });
export const sendUndo = (name: string) => ask<TableData>(`${at(name)}/undo?shown=1000000`, {});
export const fetchOpinion = (name: string) => ask<Opinion>(`${at(name)}/opinion`, {});
