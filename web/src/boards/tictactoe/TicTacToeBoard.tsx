/** Tic-tac-toe: nine squares to click, or the keys 1 to 9 by rows from the top. */

import { useKeys } from "../../shell/keys";
import type { BoardProps, TicTacToeView } from "../view";

const NAMES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const WORDS: Record<string, string> = { x: "X", o: "O", ".": "empty" };

export function TicTacToeBoard({ view, last, legal, onPlay }: BoardProps<TicTacToeView>) {
  const isLegal = (square: number) => legal.some(([action]) => action === square);
  const play = (square: number) => isLegal(square) && onPlay?.(square);
  useKeys(
    NAMES.map((_, square) => ({
      keys: [String(square + 1)],
      shown: square ? "" : "1 … 9",
      does: "take the square, by rows from the top",
      act: () => play(square),
    })),
  );
  return (
    <div className="noughts" role="group" aria-label={`Tic-tac-toe: ${view.standing}`}>
      {Array.from(view.cells, (mark, square) => (
        <button
          key={square}
          type="button"
          data-action={square}
          className={[mark === "." ? "" : mark, view.won.includes(square) ? "won" : "", last?.action === square ? "last" : ""].join(" ")}
          aria-label={`${NAMES[square]}, ${WORDS[mark]}`}
          disabled={!onPlay || !isLegal(square)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => play(square)}
        >
          <Mark mark={mark} />
        </button>
      ))}
    </div>
  );
}

function Mark({ mark }: { mark: string }) {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true">
      {mark === "x" && <path d="M10 10l20 20m0-20l-20 20" />}
      {mark === "o" && <circle cx="20" cy="20" r="11" />}
    </svg>
  );
}
