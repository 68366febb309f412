/** EXCHANGE's moves: what their numbers say, and which of them a click may mean. */

import type { Legal } from "../view";

export const PASS = 1 << 21;
const KINDS = ["move", "Advance", "hit", "jump and hit", "Overextend", "Skirmish", "heal", "Royal Decree"] as const;
const ATTACK = 2;
const HEAL = 6;
export const DECREE = 7;

export interface Move {
  readonly action: number;
  readonly start: number;
  readonly end: number;
  readonly target: number;
  readonly kind: number;
  readonly text: string;
}

export function readMove([action, text]: Legal): Move {
  return { action, text, start: action >> 15, end: (action >> 9) & 63, target: (action >> 3) & 63, kind: action & 7 };
}

export function aims({ kind }: Move): boolean {
  return kind >= ATTACK && kind <= HEAL;
}

export function isHeal({ kind }: Move): boolean {
  return kind === HEAL;
}

export function movesFrom(legal: readonly Legal[], square: number): Move[] {
  return legal
    .filter(([action]) => action !== PASS)
    .map(readMove)
    .filter(({ start }) => start === square);
}

/** Those of a piece's moves that a click on a square may mean: it goes there, or hits or heals there. */
export function movesTo(moves: readonly Move[], square: number): Move[] {
  const meant = moves.filter((move) => {
    if (move.kind === DECREE) return square === move.start;
    return (move.end !== move.start && move.end === square) || (aims(move) && move.target === square);
  });
  return meant.sort((one, other) => one.kind - other.kind || one.action - other.action);
}

export function squareName(square: number): string {
  return `${"abcdefgh"[square % 8]}${Math.floor(square / 8) + 1}`;
}

/** A move in words, for a list to choose from. */
export function words(move: Move): string {
  const end = squareName(move.end);
  const target = squareName(move.target);
  switch (move.kind) {
    case ATTACK:
      return `hit ${target}`;
    case 3:
      return `jump to ${end}, hit ${target}`;
    case 4:
      return `Overextend to ${end}, hit ${target}`;
    case 5:
      return `Skirmish: hit ${target}, step to ${end}`;
    case HEAL:
      return `heal ${target}`;
    case DECREE:
      return "Royal Decree";
    default:
      return `${KINDS[move.kind]} to ${end}`;
  }
}
