/** Connect four: a rack to drop discs into, by pointer or by the keys 1 to 7. */

import { useState } from "react";
import { useKeys } from "../../shell/keys";
import type { BoardProps, ConnectFourView } from "../view";
import { COLUMNS, ROWS, landing, topDisc } from "./rack";

const CELL = 60;
const EDGE = 8;

export function ConnectFourBoard({ view, last, legal, toMove, onPlay }: BoardProps<ConnectFourView>) {
  const [hover, setHover] = useState(-1);
  const isLegal = (column: number) => legal.some(([action]) => action === column);
  const drop = (column: number) => isLegal(column) && onPlay?.(column);
  useKeys(
    Array.from({ length: COLUMNS }, (_, column) => ({
      keys: [String(column + 1)],
      shown: column ? "" : "1 … 7",
      does: "drop into the column",
      act: () => drop(column),
    })),
  );
  const latest = last ? topDisc(view.cells, last.action) : -1;
  const ghost = onPlay && hover >= 0 && isLegal(hover) ? landing(view.cells, hover) : -1;
  const mark = toMove === 1 ? "o" : "x";
  return (
    <div className="four" onPointerLeave={() => setHover(-1)}>
      <svg viewBox={`0 0 ${COLUMNS * CELL + 2 * EDGE} ${ROWS * CELL + 2 * EDGE}`} role="img" aria-label={`Connect four: ${view.standing}`}>
        <rect className="four-rack" x="1" y="1" width={COLUMNS * CELL + 2 * EDGE - 2} height={ROWS * CELL + 2 * EDGE - 2} rx="16" />
        {Array.from(view.cells, (cell, i) => (
          <Cell key={i} at={i} mark={cell} isLast={i === latest} hasWon={view.won.includes(i)} ghost={i === ghost ? mark : ""} />
        ))}
      </svg>
      <div className="four-columns">
        {Array.from({ length: COLUMNS }, (_, column) => (
          <button
            key={column}
            type="button"
            data-column={column + 1}
            aria-label={`Column ${column + 1}`}
            disabled={!onPlay || !isLegal(column)}
            onMouseDown={(event) => event.preventDefault()}
            onPointerEnter={() => setHover(column)}
            onFocus={() => setHover(column)}
            onClick={() => drop(column)}
          >
            <span>{column + 1}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

interface CellProps {
  readonly at: number;
  readonly mark: string;
  readonly isLast: boolean;
  readonly hasWon: boolean;
  readonly ghost: string;
}

function Cell({ at, mark, isLast, hasWon, ghost }: CellProps) {
  const x = EDGE + ((at % COLUMNS) + 0.5) * CELL;
  const y = EDGE + (Math.floor(at / COLUMNS) + 0.5) * CELL;
  return (
    <>
      <circle className={mark === "." ? "four-hole" : `four-disc ${mark}`} cx={x} cy={y} r={24} />
      {ghost && <circle className={`four-disc ghost ${ghost}`} cx={x} cy={y} r={24} />}
      {mark !== "." && <circle className={`four-ring ${mark}`} cx={x} cy={y} r={16} />}
      {hasWon && <circle className="four-won" cx={x} cy={y} r={22} />}
      {isLast && !hasWon && <circle className="four-last" cx={x} cy={y} r={5} />}
    </>
  );
}
