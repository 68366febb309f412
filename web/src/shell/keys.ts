/** The keys of the page: one table, which help shows as well. */

import { useEffect, useRef } from "react";

export interface KeyAction {
  readonly keys: readonly string[];
  readonly shown: string; // "" for one that another line of the help speaks of
  readonly does: string;
  readonly act: () => void;
}

const active = new Set<{ current: readonly KeyAction[] }>();

/** The keys that do something at this moment, for help. */
export function activeKeys(): KeyAction[] {
  return [...active].flatMap(({ current }) => current).filter(({ shown }) => shown !== "");
}

/** Listen for keys wherever the focus is, except in fields and dialogs; buttons and links keep their own. */
export function useKeys(actions: readonly KeyAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const action = latest.current.find(({ keys }) => keys.includes(key));
      if (!action) return;
      event.preventDefault();
      action.act();
    };
    window.addEventListener("keydown", press);
    active.add(latest);
    return () => {
      window.removeEventListener("keydown", press);
      active.delete(latest);
    };
  }, []);
}

function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.closest("dialog, input, select, textarea")) return true;
  if (event.key === "Enter") return target.closest("button, a, summary") !== null;
  return event.key === " " && target.closest("button, summary") !== null;
}
