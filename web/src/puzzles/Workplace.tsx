/** The board and all that belongs to one puzzle, with its keys. */

import { useState } from "react";
import type { Puzzle } from "../api/puzzles";
import { begin, isSolved, jumpTo, stepBack, stepForward } from "./attempt";
import { Facts } from "./Facts";
import { Help } from "./Help";
import { type KeyAction, useKeys } from "../shell/keys";
import { Solution } from "./Solution";
import { Solver } from "./Solver";
import { useAttempt } from "./useAttempt";

interface Props {
  readonly puzzle: Puzzle;
  readonly keys: readonly KeyAction[];
  readonly isHelpOpen: boolean;
  readonly onHelp: (isOpen: boolean) => void;
}

export function Workplace({ puzzle, keys, isHelpOpen, onHelp }: Props) {
  const [attempt, change] = useAttempt(puzzle);
  const [open, setOpen] = useState("");
  const isTreeShown = open === puzzle.name || isSolved(attempt);
  const actions: readonly KeyAction[] = [
    ...keys,
    {
      keys: ["ArrowDown", " "],
      shown: "↓ Space",
      does: "step along the solution",
      act: () => change((now) => ({ ...stepForward(now), isPlaying: false })),
    },
    { keys: ["ArrowUp"], shown: "↑", does: "step back", act: () => change(stepBack) },
    { keys: ["r"], shown: "R", does: "back to the start", act: () => change((now) => begin(now.puzzle)) },
    { keys: ["s"], shown: "S", does: "show the solution tree", act: () => setOpen(open === puzzle.name ? "" : puzzle.name) },
    {
      keys: ["b"],
      shown: "B",
      does: "go to the board: arrows move the cursor, Enter plays, Esc leaves",
      act: () => document.querySelector<HTMLElement>(".board")?.focus(),
    },
  ];
  useKeys(actions);
  return (
    <>
      <main>
        <Solver puzzle={puzzle} attempt={attempt} onChange={change} />
      </main>
      <aside className="details" aria-label="About this puzzle">
        <Solution
          puzzle={puzzle}
          path={attempt.path}
          isShown={isTreeShown}
          onShow={() => setOpen(puzzle.name)}
          onJump={(path) => change((now) => jumpTo(now, path))}
        />
        <Facts puzzle={puzzle} />
      </aside>
      {isHelpOpen && <Help actions={actions} onClose={() => onHelp(false)} />}
    </>
  );
}
