/** One run, live or finished. */

import type { RunChart, RunPageData } from "../api/runs";
import { Chart } from "../design/Chart";
import { Badge, Button } from "../design/parts";
import { gameTitle } from "../play/names";
import { Link } from "../shell/Link";
import { go } from "../shell/route";
import { Waiting } from "../shell/Waiting";
import { Events } from "./Events";
import { Phases } from "./Phases";
import { seriesOf } from "./series";
import { STATE_TONES } from "./states";
import { useRun } from "./useRun";

const GROUPS: Record<RunChart["group"], [string, number]> = {
  strength: ["Strength", 1],
  losses: ["Losses", 4],
  games: ["Self-play's games", 3],
  rates: ["Search and rates", 6],
};
const DIPLOMACY = "diplomacy"; // has no table to play at yet
const isWide = window.matchMedia("(min-width: 861px)"); // else a page of charts would be endless

export function RunPage({ name }: { name: string }) {
  const { live, page, events, trouble } = useRun(name);
  if (!live || !page) return <Waiting words={`Looking at ${name} …`} trouble={trouble} back="/runs" backTo="All runs" />;
  const games = `/runs/${encodeURIComponent(name)}/games`;
  return (
    <>
      <div>
        <nav className="crumbs" aria-label="Way back">
          <Link to="/runs">Runs</Link> ›
        </nav>
        <header className="headline">
          <h1>{name}</h1>
          <Badge tone={STATE_TONES[live.state]}>{live.state}</Badge>
          <span className="about" data-run-state={live.state}>
            {gameTitle(page.game)}, {page.iterations_done} of {page.iterations} iterations
          </span>
          <div className="doing">
            <Button onClick={() => go(games)}>Games</Button>
            {page.has_best && page.game !== DIPLOMACY && (
              <Button onClick={() => go(`/play?game=${page.game}&against=${encodeURIComponent(`run ${name}`)}`)}>Play its best</Button>
            )}
          </div>
        </header>
      </div>
      {trouble && <p className="trouble">{trouble}</p>}
      {live.state === "failed" && <p className="trouble">{live.text}</p>}
      <Phases live={live} iterations={page.iterations} />
      <Figures page={page} />
      <Charts charts={page.charts} />
      <div className="run-foot">
        <Events lines={events} isLive={live.state === "running"} />
        <section className="card">
          <h2>The run</h2>
          <dl className="facts-list">
            {Object.entries(page.facts).map(([fact, value]) => (
              <div key={fact}>
                <dt>{fact}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <Iterations page={page} />
    </>
  );
}

function Figures({ page }: { page: RunPageData }) {
  return (
    <ul className="figures">
      {page.figures.map(([figure, words]) => (
        <li key={words} className="card">
          <b>{figure}</b>
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}

function Charts({ charts }: { charts: readonly RunChart[] }) {
  return (Object.keys(GROUPS) as RunChart["group"][]).map((group) => {
    const own = charts.filter((chart) => chart.group === group);
    const [title, tone] = GROUPS[group];
    if (!own.length) return null;
    const isLarge = group === "strength";
    return (
      <details key={group} className="chart-group" open={isLarge || (group !== "games" && isWide.matches)}>
        <summary>{title}</summary>
        <div className={isLarge ? "chart-grid-large" : "chart-grid-small"}>
          {own.map((chart) => (
            <RunChartCard key={chart.key} chart={chart} tone={chart.has_line ? tone : 2} isLarge={isLarge} />
          ))}
        </div>
      </details>
    );
  });
}

function RunChartCard({ chart, tone, isLarge }: { chart: RunChart; tone: number; isLarge: boolean }) {
  return (
    <section className="card chart-card" data-chart={chart.title}>
      <h3>
        {chart.title}
        {chart.unit && <small> {chart.unit}</small>}
      </h3>
      {chart.note && <p className="note">{chart.note}</p>}
      <Chart
        label={chart.title}
        series={[seriesOf(chart, chart.title, tone)]}
        xName="iteration"
        isShare={chart.is_share}
        hasLine={chart.has_line}
        reference={chart.reference}
        limits={chart.limits}
        height={isLarge ? 220 : 150}
      />
    </section>
  );
}

function Iterations({ page }: { page: RunPageData }) {
  if (!page.rows.length) return null;
  return (
    <section className="card">
      <h2>Iterations</h2>
      <div className="table-scroll">
        <table>
          <thead>
            <tr>
              {page.columns.map((column) => (
                <th key={column}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row) => (
              <tr key={row[0]}>
                {row.map((cell, i) => (
                  <td key={i} className={cell === "yes" ? "yes" : undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
