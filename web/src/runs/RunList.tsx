/** All runs of the folder, the newest first; those that are ticked are compared. */

import { useState } from "react";
import { type RunRow, fetchRuns } from "../api/runs";
import { Badge, Button } from "../design/parts";
import { Link } from "../shell/Link";
import { usePolling } from "../shell/polling";
import { go } from "../shell/route";
import { STATE_TONES } from "./states";
import { ago } from "./words";

const LOOK_MS = 3000;
const MOST = 6; // colours that can be told apart

export function RunList() {
  const { answer, trouble } = usePolling("runs", fetchRuns, () => LOOK_MS);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (name: string) => setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  if (!answer) return <p className="waiting">{trouble || "Looking for runs …"}</p>;
  const runs = answer.runs;
  return (
    <>
      <header className="headline">
        <h1>Runs</h1>
        <span className="about">{answer.folder}</span>
        {runs.length > 1 && (
          <div className="doing">
            <Button disabled={chosen.length < 2 || chosen.length > MOST} onClick={() => go(`/runs?compare=${chosen.join(",")}`)}>
              Compare {chosen.length > 1 ? chosen.length : ""}
            </Button>
          </div>
        )}
      </header>
      {trouble && <p className="trouble">{trouble}</p>}
      {!runs.length && (
        <div className="card empty">
          <p>No run yet. This one trains a tiny Yatzy player in under a minute, and appears here as soon as it begins:</p>
          <code>playmill run configs/yatzy_smoke.yaml --out {answer.folder}/first</code>
        </div>
      )}
      <ul className="run-list">
        {runs.map((run) => (
          <li key={run.name} className="card run-row">
            {runs.length > 1 && (
              <input
                type="checkbox"
                aria-label={`Compare ${run.name}`}
                checked={chosen.includes(run.name)}
                disabled={run.problem !== null}
                onChange={() => toggle(run.name)}
              />
            )}
            {run.problem === null ? <Row run={run} /> : <Broken name={run.name} problem={run.problem} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function Row({ run }: { run: RunRow }) {
  return (
    <Link className="run-link" to={`/runs/${encodeURIComponent(run.name)}`}>
      <span className="run-name">
        <b>{run.name}</b>
        <small>{run.game}</small>
      </span>
      <span className="run-state">
        <Badge tone={STATE_TONES[run.state]}>{run.state}</Badge>
        <small>{run.state === "running" ? run.text : ago(run.since_ms, Date.now())}</small>
      </span>
      <span className="run-far">
        <progress max={run.iterations} value={run.iterations_done} aria-label="iterations" />
        <small>
          {run.iterations_done} of {run.iterations} iterations, {run.games.toLocaleString("en")} games
        </small>
      </span>
      <span className="run-strength">
        {run.strength && (
          <>
            <b>{run.strength.figure}</b>
            <small>{run.strength.words}</small>
          </>
        )}
      </span>
    </Link>
  );
}

function Broken({ name, problem }: { name: string; problem: string }) {
  return (
    <div className="run-link">
      <span className="run-name">
        <b>{name}</b>
      </span>
      <span className="run-problem">{problem}</span>
    </div>
  );
}
