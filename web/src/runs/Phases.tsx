/** The phases of the iteration under way, each with how far it is. */

import type { LiveRun, Phase } from "../api/runs";
import { short } from "../design/scale";
import { duration, memory } from "./words";

export function Phases({ live, iterations }: { live: LiveRun; iterations: number }) {
  const isRunning = live.state === "running";
  const number = isRunning ? Math.min(live.iteration + 1, iterations) : live.iteration;
  if (!live.phases.some(({ state }) => state !== "open")) return null;
  return (
    <section className="card phases" aria-label="Phases">
      <header>
        <h2>{isRunning ? `Iteration ${number} of ${iterations}` : `Iteration ${number}`}</h2>
        {isRunning && live.rss_bytes > 0 && <small>{memory(live.rss_bytes)}</small>}
      </header>
      <ol>
        {live.phases.map((phase) => (
          <li key={phase.name} className={phase.state}>
            <span>
              {phase.state === "done" ? "✓ " : ""}
              {phase.title}
            </span>
            <progress max={1} value={shareOf(phase)} aria-label={phase.title} />
            <small>{wordsOf(phase)}</small>
          </li>
        ))}
      </ol>
      {isRunning && Object.keys(live.facts).length > 0 && (
        <ul className="live-facts">
          {Object.entries(live.facts).map(([name, value]) => (
            <li key={name}>
              {name} <b>{value}</b>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function shareOf({ state, done = 0, total = 0 }: Phase): number {
  return state === "done" ? 1 : state === "now" && total ? done / total : 0;
}

function wordsOf(phase: Phase): string {
  if (phase.state === "open") return "";
  if (phase.state === "done") return duration(phase.seconds);
  const far = phase.total ? `${short(phase.done ?? 0)} of ${short(phase.total)}` : duration(phase.seconds);
  return phase.left ? `${far}, ${duration(phase.left)} left` : far;
}
