/** Times and sizes as people say them. */

export function duration(seconds: number): string {
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export function ago(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - thenMs) / 1000);
  if (seconds < 10) return "just now";
  if (seconds >= 60 && seconds < 7200) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${duration(seconds)} ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

export function clock(timeMs: number): string {
  return new Date(timeMs).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

export function memory(bytes: number): string {
  return bytes >= 1 << 30 ? `${(bytes / (1 << 30)).toFixed(1)} GiB` : `${Math.round(bytes / (1 << 20))} MiB`;
}

/** A setting's value in a cell. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
