/** The list of puzzles: only the rows that can be seen exist, however many there are. */

import { memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { PuzzleIndex } from "../api/puzzles";
import { addressOf, go } from "../shell/route";
import { DECISIONS } from "./filter";

const ROW = 46; // pixels, as the style sheet has it
const BEYOND = 6; // rows more on each side

interface Props {
  readonly index: PuzzleIndex;
  readonly decisions: Uint8Array;
  readonly shown: readonly number[];
  readonly current: number;
  readonly query: URLSearchParams;
  readonly onChoose: () => void;
}

export const PuzzleList = memo(function PuzzleList({ index, decisions, shown, current, query, onChoose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);

  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setHeight(box.current?.clientHeight ?? 0));
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    const at = shown.indexOf(current);
    const element = box.current;
    if (at < 0 || !element) return;
    const [first, last] = [at * ROW, (at + 1) * ROW];
    if (first < element.scrollTop || last > element.scrollTop + element.clientHeight) {
      element.scrollTop = first - element.clientHeight / 2 + ROW / 2;
    }
  }, [current, shown, height]);

  const from = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const rows = shown.slice(from, Math.ceil((top + height) / ROW) + BEYOND);
  return (
    <div ref={box} className="list" onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <ol style={{ height: shown.length * ROW }} aria-label={`${shown.length} puzzles`}>
        {rows.map((at, number) => (
          <li
            key={at}
            style={{ transform: `translateY(${(from + number) * ROW}px)` }}
            aria-posinset={from + number + 1}
            aria-setsize={shown.length}
          >
            <Row index={index} at={at} decision={decisions[at]!} isCurrent={at === current} query={query} onChoose={onChoose} />
          </li>
        ))}
      </ol>
      {!shown.length && <p className="empty">No puzzle passes the filters.</p>}
    </div>
  );
});

interface RowProps {
  readonly index: PuzzleIndex;
  readonly at: number;
  readonly decision: number;
  readonly isCurrent: boolean;
  readonly query: URLSearchParams;
  readonly onChoose: () => void;
}

function Row({ index, at, decision, isCurrent, query, onChoose }: RowProps) {
  const name = index.names[at]!;
  const address = addressOf("puzzles", name, query);
  const goal = index.is_kill[at] ? "kill" : "live";
  return (
    <a
      href={address}
      className={`row ${DECISIONS[decision]}`}
      aria-current={isCurrent ? "page" : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(address);
        onChoose();
      }}
    >
      <span className={`dot ${index.is_white[at] ? "white" : "black"}`} aria-hidden="true" />
      <span className="row-words">
        <span className="row-title">
          {index.is_white[at] ? "White" : "Black"} to {goal}
        </span>
        <span className="row-tags">
          #{at + 1} · {index.tagged[at]!.map((tag) => index.tags[tag]).join(", ")}
        </span>
      </span>
      <span className="rank">{index.ranks[index.rank[at]!]}</span>
      <span className="decision" role="img" aria-label={DECISIONS[decision]} title={DECISIONS[decision]} />
    </a>
  );
}
