/** Which puzzles of the list are shown; kept in the address, so that a link shows the same ones. */

import type { PuzzleIndex } from "../api/puzzles";

export const DECISIONS = ["open", "approved", "deleted"] as const;
export const OPEN = 0;
export const APPROVED = 1;
export const DELETED = 2;

export interface Filter {
  readonly tags: readonly string[];
  readonly from: number; // ranks, both included
  readonly to: number;
  readonly verification: "" | "proved" | "engine";
  readonly decision: "" | "open" | "approved" | "deleted";
  readonly search: string;
}

export function readFilter(query: URLSearchParams, ranks: readonly string[]): Filter {
  const rank = (name: string, otherwise: number) => {
    const at = ranks.indexOf(query.get(name) ?? "");
    return at < 0 ? otherwise : at;
  };
  const one = <Value extends string>(name: string, known: readonly Value[]) =>
    known.find((value) => value === query.get(name)) ?? ("" as const);
  return {
    tags: query.getAll("tag"),
    from: rank("from", 0),
    to: rank("to", ranks.length - 1),
    verification: one("verification", ["proved", "engine"] as const),
    decision: one("decision", DECISIONS),
    search: query.get("search") ?? "",
  };
}

export function writeFilter(filter: Filter, ranks: readonly string[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const tag of filter.tags) query.append("tag", tag);
  if (filter.from > 0) query.set("from", ranks[filter.from]!);
  if (filter.to < ranks.length - 1) query.set("to", ranks[filter.to]!);
  if (filter.verification) query.set("verification", filter.verification);
  if (filter.decision) query.set("decision", filter.decision);
  if (filter.search) query.set("search", filter.search);
  return query;
}

/** The numbers of the puzzles that pass, in the file's order. All tags must be there. */
export function select(index: PuzzleIndex, decisions: Uint8Array, filter: Filter): number[] {
  const tags = filter.tags.map((tag) => index.tags.indexOf(tag));
  const search = filter.search.trim().toLowerCase();
  const wanted = filter.decision ? DECISIONS.indexOf(filter.decision) : -1;
  const proved = filter.verification ? Number(filter.verification === "proved") : -1;
  const found: number[] = [];
  for (let at = 0; at < index.names.length; at++) {
    const rank = index.rank[at]!;
    if (rank < filter.from || rank > filter.to) continue;
    if (wanted >= 0 && decisions[at] !== wanted) continue;
    if (proved >= 0 && index.is_proved[at] !== proved) continue;
    if (search && !index.names[at]!.includes(search)) continue;
    if (!tags.every((tag) => index.tagged[at]!.includes(tag))) continue;
    found.push(at);
  }
  return found;
}

/** The first one after `at` in a sorted list, or before it; the nearest at the end of the list, -1 if it is empty. */
export function neighbour(shown: readonly number[], at: number, isForward: boolean): number {
  const found = isForward ? shown.find((each) => each > at) : shown.findLast((each) => each < at);
  if (found !== undefined) return found;
  return shown.includes(at) ? at : (shown.at(isForward ? -1 : 0) ?? -1);
}

export function countDecisions(decisions: Uint8Array): readonly [number, number, number] {
  const counts: [number, number, number] = [0, 0, 0];
  for (const decision of decisions) counts[decision as 0 | 1 | 2] += 1;
  return counts;
}
