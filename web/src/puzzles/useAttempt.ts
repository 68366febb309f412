/** The attempt at the puzzle on the page: begun anew with each puzzle, and the opponent answers after a moment. */

import { useEffect, useState } from "react";
import type { Puzzle } from "../api/puzzles";
import { useCalm } from "../design/theme";
import { begin, goesOn, stepForward, type Attempt } from "./attempt";

const ANSWER_MS = 380;

export function useAttempt(puzzle: Puzzle): [Attempt, (change: (attempt: Attempt) => Attempt) => void] {
  const [attempt, setAttempt] = useState(() => begin(puzzle));
  const isCalm = useCalm();
  const current = attempt.puzzle === puzzle ? attempt : begin(puzzle);
  useEffect(() => {
    if (!goesOn(current)) return;
    const timer = setTimeout(() => setAttempt((now) => (now === current ? stepForward(now) : now)), isCalm ? 120 : ANSWER_MS);
    return () => clearTimeout(timer);
  }, [current, isCalm]);
  const change = (by: (attempt: Attempt) => Attempt) => setAttempt((now) => by(now.puzzle === puzzle ? now : begin(puzzle)));
  return [current, change];
}
