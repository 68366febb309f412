/** Several runs in the same charts, and the settings in which they differ. */

import { useState } from "react";
import { fetchComparison } from "../api/runs";
import { Chart } from "../design/Chart";
import { Badge } from "../design/parts";
import { gameTitle } from "../play/names";
import { Link } from "../shell/Link";
import { usePolling } from "../shell/polling";
import { Waiting } from "../shell/Waiting";
import { AXES, type Axis, overlay } from "./series";
import { STATE_TONES } from "./states";
import { valueText } from "./words";

const LOOK_MS = 5000;

export function Compare({ names }: { names: readonly string[] }) {
  const [axis, setAxis] = useState<Axis>("iteration");
  const { answer, trouble } = usePolling(
    `compare ${names.join()}`,
    () => fetchComparison(names),
    (answer) => (!answer || answer.runs.some(({ state }) => state === "running") ? LOOK_MS : null),
  );
  if (!answer) return <Waiting words="Comparing …" trouble={trouble} back="/runs" backTo="All runs" />;
  const { runs, differences } = answer;
  const isOneGame = runs.every(({ game }) => game === runs[0]!.game);
  return (
    <>
      <div>
        <nav className="crumbs" aria-label="Way back">
          <Link to="/runs">Runs</Link> ›
        </nav>
        <header className="headline">
          <h1>Comparison</h1>
          <div className="doing segments" role="radiogroup" aria-label="Over">
            {(Object.keys(AXES) as Axis[]).map((each) => (
              <button key={each} type="button" role="radio" aria-checked={axis === each} onClick={() => setAxis(each)}>
                {AXES[each]}
              </button>
            ))}
          </div>
        </header>
      </div>
      {trouble && <p className="trouble">{trouble}</p>}
      {!isOneGame && <p className="note">The runs are of different games; their figures can't be held against each other.</p>}
      <ul className="compared">
        {runs.map((run, i) => (
          <li key={run.name} className={`card tone-${i + 1}`}>
            <Link to={`/runs/${encodeURIComponent(run.name)}`}>
              <span className="swatch" /> <b>{run.name}</b>
            </Link>
            <Badge tone={STATE_TONES[run.state]}>{run.state}</Badge>
            <small>
              {gameTitle(run.game)}, {run.iterations_done} iterations, {run.games.toLocaleString("en")} games
            </small>
            {run.strength && (
              <span className="run-strength">
                <b>{run.strength.figure}</b>
                <small>
                  {run.strength.words} {run.strength.interval && `(${run.strength.interval})`}
                </small>
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className="chart-grid-large">
        {overlay(runs, axis).map(({ chart, series }) => (
          <section key={chart.key} className="card chart-card" data-chart={chart.title}>
            <h3>
              {chart.title}
              {chart.unit && <small> {chart.unit}</small>}
            </h3>
            <Chart
              label={chart.title}
              series={series}
              xName={AXES[axis]}
              isShare={chart.is_share}
              hasLine={chart.has_line}
              hasWholeX={axis !== "minutes"}
              reference={chart.reference}
              limits={chart.limits}
            />
          </section>
        ))}
      </div>
      <section className="card">
        <h2>Settings that differ</h2>
        {!differences.length && <p className="note">None: all have the same settings.</p>}
        <div className="table-scroll">
          <table className="differences">
            <thead>
              <tr>
                <th>setting</th>
                {runs.map(({ name }) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differences.map(({ setting, values }) => (
                <tr key={setting}>
                  <td>
                    <code>{setting}</code>
                  </td>
                  {values.map((value, i) => (
                    <td key={i}>{valueText(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  );
}
