/** Light or dark, and whether things may move: as the system says, unless the reader chose a theme. */

import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";
export type Choice = Theme | "auto";

const KEY = "playmill.theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const listeners = new Set<() => void>();
let choice: Choice = read();

function read(): Choice {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "auto";
  } catch {
    return "auto";
  }
}

function themeNow(): Theme {
  return choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
}

function apply(): void {
  document.documentElement.dataset.theme = themeNow();
  for (const listener of listeners) listener();
}

dark.addEventListener("change", apply);
apply();

export function chooseTheme(wanted: Choice): void {
  choice = wanted;
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // A browser that keeps nothing still shows it.
  }
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, themeNow);
}

export function useThemeChoice(): Choice {
  return useSyncExternalStore(subscribe, () => choice);
}

/** Whether the reader asked for as little motion as can be. */
export function useCalm(): boolean {
  return useSyncExternalStore(
    (listener) => {
      calm.addEventListener("change", listener);
      return () => calm.removeEventListener("change", listener);
    },
    () => calm.matches,
  );
}
