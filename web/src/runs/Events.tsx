/** What happened in a run, the newest first. */

import type { EventLine } from "../api/runs";
import { clock } from "./words";

const SHOWN = 60;

export function Events({ lines, isLive }: { lines: readonly EventLine[]; isLive: boolean }) {
  return (
    <section className="card events" aria-label="Events">
      <h2>
        Events {isLive && <span className="live-dot" aria-label="live" />}
      </h2>
      {!lines.length && <p className="note">Nothing yet; the first one comes when a phase ends.</p>}
      <ol>
        {lines
          .slice(-SHOWN)
          .reverse()
          .map((line, i) => (
            <li key={lines.length - i} className={line.is_trouble ? "failure" : line.is_promotion ? "promotion" : undefined}>
              <time>{line.time_ms ? clock(line.time_ms) : ""}</time>
              <b>
                {line.title}
                {line.iteration ? ` ${line.iteration}` : ""}
              </b>
              <span>{line.words}</span>
            </li>
          ))}
      </ol>
    </section>
  );
}
