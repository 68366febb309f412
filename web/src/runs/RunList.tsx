/** All runs of the folder, the newest first; those that are ticked are compared. */

import { useState } from "react";
import { type RunRow, fetchRuns } from "../api/runs";
import { Badge, Button } from "../design/parts";
import { gameTitle } from "../play/names";
import { Link } from "../shell/Link";
import { usePolling } from "../shell/polling";
import { go } from "../shell/route";
import { Waiting } from "../shell/Waiting";
import { STATE_TONES } from "./states";
import { ago } from "./words";

const LOOK_MS = 3000;
const MOST = 6; // colours that can be told apart

export function RunList() {
  const { answer, trouble } = usePolling("runs", fetchRuns, () => LOOK_MS);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (name: string) => setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  if (!answer) return <Waiting words="Looking for runs …" trouble={trouble} back="/play" backTo="Play" />;
  const runs = answer.runs;
  return (
    <>
      <header className="headline">
        <h1>Runs</h1>
        <span className="about">{answer.folder}</span>
        {runs.length > 1 && (
          <div className="doing">
            <Button disabled={chosen.length < 2 || chosen.length > MOST} onClick={() => go(`/runs?compare=${chosen.join(",")}`)}>
              {compareWords(chosen.length)}
            </Button>
          </div>
        )}
      </header>
      {trouble && <p className="trouble">{trouble}</p>}
      {!runs.length && (
        <div className="card empty">
          <h2>No run yet</h2>
          <p>This trains a tiny Yatzy player in under a minute. The run appears here as soon as it begins, and is followed live:</p>
          <code>playmill run yatzy --iterations 4 --games 64 --out {answer.folder}/first</code>
          <p>
            You need not train first: <Link to="/play">play against the bots and players that are ready</Link>.
          </p>
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

function compareWords(count: number): string {
  if (count > MOST) return `Compare at most ${MOST}`;
  return ["Tick runs to compare", "Tick another to compare"][count] ?? `Compare ${count}`;
}

function Row({ run }: { run: RunRow }) {
  return (
    <Link className="run-link" to={`/runs/${encodeURIComponent(run.name)}`}>
      <span className="run-name">
        <b>{run.name}</b>
        <small>{gameTitle(run.game)}</small>
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
            <small>
              {run.strength.words}
              {run.strength.interval && `, ${run.strength.interval}`}
            </small>
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
