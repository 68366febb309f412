/** The address bar as state: `/puzzles/<name>?tag=corner`. Pages read their part of it and change it here. */

import { useSyncExternalStore } from "react";

export interface Route {
  readonly page: string;
  readonly rest: string;
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();
let route = read();

function read(): Route {
  const [page = "", ...rest] = location.pathname.split("/").filter(Boolean);
  return { page, rest: decodeURIComponent(rest.join("/")), query: new URLSearchParams(location.search) };
}

function changed(): void {
  route = read();
  for (const listener of listeners) listener();
}

window.addEventListener("popstate", changed);

/** Go to an address of this app; `replace` leaves no step to go back to. */
export function go(address: string, replace = false): void {
  if (address === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  changed();
}

export function addressOf(page: string, rest: string, query: URLSearchParams): string {
  const words = query.toString();
  return `/${page}${rest ? `/${encodeURIComponent(rest)}` : ""}${words ? `?${words}` : ""}`;
}

export function useRoute(): Route {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => route,
  );
}
