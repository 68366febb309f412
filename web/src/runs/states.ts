import type { RunStateName } from "../api/runs";

/** The tone of a run's badge. */
export const STATE_TONES: Record<RunStateName, string> = { new: "plain", running: "now", stopped: "warn", failed: "bad", done: "good" };
