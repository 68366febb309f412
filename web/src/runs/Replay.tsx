/** A recorded game on its board: move by move, with what the search thought of each. */

import { useEffect, useRef } from "react";
import type { BoardRecord, RecordedMove } from "../api/games";
import { Board } from "../boards/Board";
import { Chart } from "../design/Chart";
import { Judgement } from "../play/Judgement";
import { seatTitle, seatWithName } from "../play/names";
import { SeatMark } from "../play/SeatMark";
import { Controls } from "./Controls";
import { usePlace, type Place } from "./usePlace";

const PACE_MS = 800;

export function Replay({ record }: { record: BoardRecord }) {
  const place = usePlace(record.moves.length, PACE_MS);
  const { at } = place;
  const last = at > 0 ? record.moves[at - 1]! : null;
  const next = record.moves[at] ?? null;
  const names = seatNames(record);
  return (
    <div className="at-table" data-ply={at}>
      <section className="table-board">
        <p className="turn" role="status">
          {last && <SeatMark game={record.game} seat={last.seat} />}
          <span>{last ? `${whoMoved(record, last)}: ${last.text.replaceAll("_", " ")}${last.told ? `, ${last.told}` : ""}` : "The start"}</span>
        </p>
        <Board
          view={record.boards[at]!}
          history={record}
          ply={at}
          last={last}
          seat={0}
          names={names}
          toMove={next?.seat ?? null}
          legal={[]}
        />
        <Controls place={place} />
      </section>
      <aside className="table-side">
        <section className="card">
          <h2>{resultOf(record)}</h2>
          <p className="note">
            {record.source}, seed {record.seed}
          </p>
        </section>
        {next && next.policy.length > 0 && (
          <Judgement
            title="What the search thought"
            note={`before ${next.text.replaceAll("_", " ")}`}
            value={next.own_value}
            rows={next.policy.map((row) => ({ ...row, visits: null, value: null, prior: null }))}
            played={next.action}
            whose={seatTitle(record.game, next.seat)}
          />
        )}
        <ValueChart record={record} place={place} />
        <MoveList record={record} place={place} />
      </aside>
    </div>
  );
}

function whoMoved(record: BoardRecord, move: RecordedMove): string {
  return seatWithName(record.game, move.seat, move.who);
}

function seatNames(record: BoardRecord): string[] {
  return [0, 1].map((seat) => seatWithName(record.game, seat, record.moves.find((move) => move.seat === seat)?.who ?? ""));
}

function resultOf({ game, won, moves }: BoardRecord): string {
  if (won === null) return `Not over after ${moves.length} moves`;
  return won.length > 1 ? `A draw after ${moves.length} moves` : `${seatTitle(game, won[0]!)} won after ${moves.length} moves`;
}

function ValueChart({ record, place }: { record: BoardRecord; place: Place }) {
  const dots = record.moves.flatMap(({ value, text }, i) =>
    value === null ? [] : [{ x: i, y: value, low: null, high: null, words: `${i + 1}. ${text}: ${value.toFixed(3)}`, isFilled: true }],
  );
  if (dots.length < 2) return null;
  const title = `Value to ${seatTitle(record.game, 0)}`;
  return (
    <section className="card chart-card">
      <h3>{title}</h3>
      <Chart
        label={title}
        series={[{ name: "value", tone: 3, dots }]}
        xName="move"
        reference={[0, "even"]}
        limits={[-1, 1]}
        height={150}
        cursor={place.at}
        onPick={place.go}
      />
    </section>
  );
}

function MoveList({ record, place }: { record: BoardRecord; place: Place }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const row = list.current?.children[place.at - 1] as HTMLElement | undefined;
    if (list.current) list.current.scrollTop = row ? row.offsetTop - list.current.offsetTop - list.current.clientHeight / 2 : 0;
  }, [place.at]);
  return (
    <section className="card moves-card">
      <h2>Moves</h2>
      <ol ref={list} className="move-list replayed">
        {record.moves.map((move, i) => (
          <li key={i} aria-current={i === place.at - 1 ? "step" : undefined}>
            <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => place.go(i + 1)}>
              <span>{i + 1}</span>
              <SeatMark game={record.game} seat={move.seat} />
              <b>{move.text.replaceAll("_", " ")}</b>
              <small>{move.told}</small>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
