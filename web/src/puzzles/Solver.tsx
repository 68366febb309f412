/** The puzzle on the board, with what is said about it and the steps through its tree. */

import { useMemo } from "react";
import type { Puzzle } from "../api/puzzles";
import { GoBoard } from "../boards/go/GoBoard";
import { pointName, viewAround } from "../boards/go/points";
import { NONE, PASS } from "../boards/go/rules";
import type { Sign } from "../boards/go/signs";
import { Button } from "../design/parts";
import {
  type Attempt,
  goalWords,
  isWrong,
  playAt,
  positionWords,
  standing,
  stepBack,
  stepForward,
  begin,
  treePoints,
  words,
} from "./attempt";

interface Props {
  readonly puzzle: Puzzle;
  readonly attempt: Attempt;
  readonly onChange: (change: (attempt: Attempt) => Attempt) => void;
}

export function Solver({ puzzle, attempt, onChange }: Props) {
  const { position } = puzzle;
  const view = useMemo(
    () => viewAround(position.size, [...position.black, ...position.white, ...treePoints(puzzle)]),
    [puzzle, position],
  );
  const { board, moves, toPlay } = standing(attempt);
  const said = words(attempt);
  const numbers = new Map(
    moves.flatMap(({ point }, at) => (point !== PASS && board.stones[point] ? [[point, at + 1] as const] : [])),
  );
  const signs = new Map<number, Sign>(
    position.marked.flatMap((point) => (board.stones[point] && !numbers.has(point) ? [[point, "triangle"] as const] : [])),
  );
  const last = moves.at(-1)?.point ?? PASS;
  if (board.ko !== NONE) signs.set(board.ko, "square");
  if (last !== PASS) signs.set(last, "last");
  const first = moves[0]?.point ?? PASS;
  if (numbers.get(first) === 1) signs.set(first, isWrong(attempt) ? "wrong" : "right");
  const picture = { key: puzzle.name, size: position.size, view, stones: board.stones, signs, numbers };
  return (
    <div className="solver">
      <h1 className="goal">
        <span className={`dot ${position.side === 1 ? "black" : "white"}`} aria-hidden="true" />
        {goalWords(puzzle)}
      </h1>
      <GoBoard
        picture={picture}
        toPlay={toPlay}
        label={positionWords(puzzle, board)}
        onPlay={(point) => onChange((now) => playAt(now, point))}
      />
      <p className={`said ${said.tone}`} role="status" aria-live="polite" data-tone={said.tone}>
        {said.text}
      </p>
      <p className="played" aria-label="Moves played">
        {moves.map(({ point, colour, isAfterThreat }, at) => (
          <span key={at} className={colour === 1 ? "black" : "white"}>
            <small>{at + 1}</small> {pointName(position.size, point)} {isAfterThreat && <small>after a ko threat</small>}
          </span>
        ))}
      </p>
      <div className="steps" role="group" aria-label="Steps through the solution">
        <Button tone="quiet" keys="R" disabled={!attempt.path.length} onClick={() => onChange((now) => begin(now.puzzle))}>
          Start
        </Button>
        <Button tone="quiet" keys="↑" disabled={!attempt.path.length} onClick={() => onChange(stepBack)}>
          Back
        </Button>
        <Button tone="quiet" keys="↓" onClick={() => onChange((now) => ({ ...stepForward(now), isPlaying: false }))}>
          Step
        </Button>
      </div>
    </div>
  );
}
