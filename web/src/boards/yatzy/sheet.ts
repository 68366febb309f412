/** Yatzy's actions and its sheet, as far as clicking needs them. */

import type { Mark } from "../view";

export const FIRST_MARK = 32;
export const KEEP_ALL = 31;
export const UPPER = 6;
export const BONUS_AT = 63;
export const BONUS = 50;

const TITLES: Record<string, string> = { "three kind": "three of a kind", "four kind": "four of a kind", house: "full house" };

/** A category as people call it. */
export function categoryTitle(name: string): string {
  return TITLES[name] ?? name;
}

/** The action that keeps these dice and rolls the others. */
export function keepAction(held: readonly boolean[]): number {
  return held.reduce((mask, isHeld, i) => mask | (isHeld ? 1 << (4 - i) : 0), 0);
}

export function heldBy(action: number): boolean[] {
  return [0, 1, 2, 3, 4].map((i) => ((action >> (4 - i)) & 1) === 1);
}

/** What a player has written into each category before a ply; null where it is open. */
export function column(marks: readonly Mark[], seat: number, ply: number, categories: number): (number | null)[] {
  const points: (number | null)[] = Array.from({ length: categories }, () => null);
  for (const [at, player, category, score] of marks) if (player === seat && at < ply) points[category] = score;
  return points;
}

/** After a roll dice are sorted anew: hold the same faces again. */
export function carryOver(before: readonly number[], held: readonly boolean[], after: readonly number[]): boolean[] {
  const left = before.filter((_, i) => held[i]);
  return after.map((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
