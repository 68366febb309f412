/** A recorded game of Diplomacy: the map of each phase with its orders and what became of them. */

import { fetchMap, type DiplomacyRecord } from "../api/games";
import { usePolling } from "../shell/polling";
import { Controls } from "./Controls";
import { usePlace } from "./usePlace";

const PACE_MS = 2200;

interface DiplomacyReplayProps {
  readonly record: DiplomacyRecord;
  readonly run: string;
  readonly file: string;
  readonly number: string;
}

export function DiplomacyReplay({ record, run, file, number }: DiplomacyReplayProps) {
  const place = usePlace(record.phases.length, PACE_MS);
  const phase = record.phases[place.at];
  const { answer, trouble } = usePolling(`map ${run} ${file} ${number} ${place.at}`, () => fetchMap(run, file, number, place.at), () => null);
  const centres = phase?.centres ?? record.final;
  return (
    <div className="at-table diplomacy" data-ply={place.at}>
      <section className="table-board">
        <p className={phase ? "visually-hidden" : "turn"} role="status">
          <span>{phase ? phase.title : `The end: ${record.result}`}</span>
        </p>
        {trouble && <p className="trouble">{trouble}</p>}
        <div className="map">
          {answer && <img alt={phase?.title ?? "The end"} src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(answer.svg)}`} />}
        </div>
        <Controls place={place} />
      </section>
      <aside className="table-side">
        <section className="card">
          <h2>{record.result}</h2>
          <p className="note">
            {record.source}, seed {record.seed}
          </p>
          <ul className="powers">
            {Object.entries(centres).map(([power, count]) => (
              <li key={power}>
                <b>{power}</b>
                <progress max={18} value={count} aria-label={`centres of ${power}`} />
                <span>{count}</span>
                {phase && <small>{Math.round((phase.values[power] ?? 0) * 100)}%</small>}
              </li>
            ))}
          </ul>
          <p className="note">Centres of the 18 that win{phase ? ", and the share of the game that each is expected to get" : ""}.</p>
        </section>
        {phase && (
          <section className="card">
            <h2>Orders</h2>
            <dl className="orders">
              {Object.entries(phase.orders).map(([power, orders]) => (
                <div key={power}>
                  <dt>{power}</dt>
                  {orders.map((order) => (
                    <dd key={order}>{order}</dd>
                  ))}
                </div>
              ))}
            </dl>
          </section>
        )}
      </aside>
    </div>
  );
}
