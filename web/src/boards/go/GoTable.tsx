/** A game of Go at the table: the board of the puzzles, whole, and a pass. */

import { useMemo } from "react";
import { Button } from "../../design/parts";
import type { BoardProps, GoView } from "../view";
import { GoBoard } from "./GoBoard";
import { wholeBoard } from "./points";
import { BLACK, WHITE, makeBoard } from "./rules";
import type { Sign } from "./signs";

export function GoTable({ view, legal, toMove, onPlay }: BoardProps<GoView>) {
  const { size } = view;
  const picture = useMemo(
    () => ({
      key: `go${size}`,
      size,
      view: wholeBoard(size),
      stones: makeBoard(size, view.black, view.white).stones,
      signs: new Map<number, Sign>(view.last === null ? [] : [[view.last, "last"]]),
      numbers: new Map<number, number>(),
    }),
    [size, view],
  );
  const pass = size * size;
  const isLegal = (action: number) => legal.some(([each]) => each === action);
  return (
    <div className="go-table">
      <GoBoard
        picture={picture}
        toPlay={toMove === 1 ? WHITE : BLACK}
        label={`Go: ${view.standing}`}
        onPlay={(point) => isLegal(point) && onPlay?.(point)}
      />
      <div className="go-foot">
        <small>
          Prisoners: Black {view.prisoners[0]}, White {view.prisoners[1]}
        </small>
        {onPlay && (
          <Button disabled={!isLegal(pass)} onClick={() => onPlay(pass)}>
            Pass
          </Button>
        )}
      </div>
    </div>
  );
}
