/** The pages of the app, in the order of the menu; the server says which of them it has something for. */

import { useSyncExternalStore } from "react";
import { ask } from "../api/client";

export type PageName = "runs" | "play" | "puzzles";

export const TITLES: Record<PageName, string> = { runs: "Runs", play: "Play", puzzles: "Puzzles" };

export interface Pages {
  readonly names: readonly PageName[];
  readonly home: PageName; // the one to begin with
}

let known: Pages | string | null = null;
const listeners = new Set<() => void>();

ask<{ pages: PageName[]; home: PageName }>("/api/pages").then(
  ({ pages, home }) => tell({ names: pages.filter((name) => name in TITLES), home }),
  (error: Error) => tell(error.message),
);

function tell(found: Pages | string): void {
  known = found;
  for (const listener of listeners) listener();
}

/** The pages that are there, a line on what went wrong, or null while nobody knows yet. */
export function usePages(): Pages | string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => known,
  );
}
