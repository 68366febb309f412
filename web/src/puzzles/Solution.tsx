/** The solution tree in writing, each move a button: the right line, its variations, and the refutations. */

import { useState } from "react";
import type { Branch, Puzzle } from "../api/puzzles";
import { pointName } from "../boards/go/points";
import { other, type Colour } from "../boards/go/rules";
import { Button } from "../design/parts";

interface Props {
  readonly puzzle: Puzzle;
  readonly path: readonly number[];
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onJump: (path: readonly number[]) => void;
}

export function Solution({ puzzle, path, isShown, onShow, onJump }: Props) {
  if (!isShown) {
    return (
      <Button tone="plain" keys="S" className="wide" onClick={onShow}>
        Show the solution tree
      </Button>
    );
  }
  const { side } = puzzle.position;
  return (
    <section className="card solution" aria-label="Solution">
      <h2>Solution</h2>
      <Line puzzle={puzzle} branch={puzzle.right} at={[0]} colour={side} path={path} onJump={onJump} />
      {puzzle.wrong.length > 0 && <h2>Refutations</h2>}
      {puzzle.wrong.map((branch, number) => (
        <Line key={branch[0]} puzzle={puzzle} branch={branch} at={[number + 1]} colour={side} path={path} onJump={onJump} />
      ))}
    </section>
  );
}

interface LineProps {
  readonly puzzle: Puzzle;
  readonly branch: Branch;
  readonly at: readonly number[];
  readonly colour: Colour;
  readonly path: readonly number[];
  readonly onJump: (path: readonly number[]) => void;
}

/** A branch along its first replies in one paragraph, then what else may be answered, each on a line of its own. */
function Line({ puzzle, branch, at, colour, path, onJump }: LineProps) {
  const moves: { at: readonly number[]; point: number; colour: Colour }[] = [];
  const others: { branch: Branch; at: readonly number[]; colour: Colour }[] = [];
  let [node, place, side]: [Branch | undefined, readonly number[], Colour] = [branch, at, colour];
  while (node) {
    moves.push({ at: place, point: node[0], colour: side });
    const here = place;
    const next = other(side);
    node[1].slice(1).forEach((reply, number) => others.push({ branch: reply, at: [...here, number + 1], colour: next }));
    [node, place, side] = [node[1][0], [...place, 0], next];
  }
  return (
    <div className="line">
      <p>
        {moves.map((move) => (
          <button
            key={move.at.length}
            type="button"
            className={`move ${move.colour === 1 ? "black" : "white"}`}
            aria-current={isPrefix(move.at, path) ? (move.at.length === path.length ? "step" : "true") : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onJump(move.at)}
          >
            <small>{move.at.length}</small>
            {pointName(puzzle.position.size, move.point)}
          </button>
        ))}
      </p>
      {others.length > 0 && <Others puzzle={puzzle} others={others} path={path} onJump={onJump} />}
    </div>
  );
}

const FEW = 3;

function Others({
  puzzle,
  others,
  path,
  onJump,
}: Pick<LineProps, "puzzle" | "path" | "onJump"> & { others: readonly Pick<LineProps, "branch" | "at" | "colour">[] }) {
  const [isOpen, setOpen] = useState(others.length <= FEW);
  if (!isOpen && !others.some(({ at }) => isPrefix(at, path))) {
    return (
      <Button tone="quiet" onClick={() => setOpen(true)}>
        {others.length} more variations
      </Button>
    );
  }
  return (
    <div className="variations">
      {others.map((each) => (
        <Line key={each.at.join()} puzzle={puzzle} path={path} onJump={onJump} {...each} />
      ))}
    </div>
  );
}

function isPrefix(part: readonly number[], path: readonly number[]): boolean {
  return part.length <= path.length && part.every((number, at) => number === path[at]);
}
