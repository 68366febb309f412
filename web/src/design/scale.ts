/** Numbers on an axis: where they stand, and which of them are written. */

/** About `count` round numbers from `low` to `high`. */
export function niceTicks(low: number, high: number, count = 5): number[] {
  if (!(high > low)) return [low];
  let step = 10 ** Math.floor(Math.log10((high - low) / count));
  step *= [1, 2, 5, 10].find((factor) => (high - low) / (step * factor) <= count) ?? 10;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Limits with a little room around the numbers; an axis of numbers above zero never goes below it. */
export function withRoom(low: number, high: number): [number, number] {
  const room = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}

export function place(value: number, [low, high]: readonly [number, number], from: number, to: number): number {
  return high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from);
}

/** A number in few characters. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${trim(value / 1e6)}M`;
  if (size >= 1e4) return `${trim(value / 1e3)}k`;
  return trim(value);
}

function trim(value: number): string {
  return String(Number(value.toPrecision(4)));
}

export function percent(value: number): string {
  return `${Number((value * 100).toPrecision(4))}%`;
}
