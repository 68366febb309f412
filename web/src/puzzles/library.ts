/** The list of puzzles and the decisions about them, as the page holds them; each decision goes to the server at once. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { decide, fetchIndex, fetchPuzzle, undo, type Decision, type Puzzle, type PuzzleIndex } from "../api/puzzles";
import { DECISIONS } from "./filter";

export interface Library {
  readonly index: PuzzleIndex | null;
  readonly numbers: ReadonlyMap<string, number>;
  readonly decisions: Uint8Array;
  readonly trouble: string;
  readonly decideOn: (at: number, decision: Decision) => void;
  readonly undoLast: (onBack: (at: number) => void) => void;
  readonly dismiss: () => void;
}

const NOTHING = new Uint8Array(0);

export function useLibrary(): Library {
  const [index, setIndex] = useState<PuzzleIndex | null>(null);
  const [decisions, setDecisions] = useState(NOTHING);
  const [trouble, setTrouble] = useState("");
  const line = useRef(Promise.resolve()); // decisions reach the server in the order they were made
  const tell = (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error));

  useEffect(() => {
    fetchIndex().then((found) => {
      setIndex(found);
      setDecisions(Uint8Array.from(found.names, (name) => Math.max(0, DECISIONS.indexOf(found.decisions[name] ?? "open"))));
    }, tell);
  }, []);

  const numbers = useMemo(() => new Map(index?.names.map((name, at) => [name, at])), [index]);

  const change = useCallback((at: number, decision: number) => {
    setDecisions((before) => before.with(at, decision));
  }, []);

  const decideOn = useCallback(
    (at: number, decision: Decision) => {
      const [name, before] = [index!.names[at]!, decisions[at]!];
      change(at, DECISIONS.indexOf(decision));
      line.current = line.current
        .then(() => decide(name, decision))
        .then(
          () => undefined,
          (error: unknown) => {
            change(at, before);
            tell(error);
          },
        );
    },
    [index, decisions, change],
  );

  const undoLast = useCallback(
    (onBack: (at: number) => void) => {
      line.current = line.current.then(undo).then(({ puzzle, decision }) => {
        const at = puzzle === null ? undefined : numbers.get(puzzle);
        if (at === undefined || decision === null) return setTrouble("Nothing to undo.");
        change(at, DECISIONS.indexOf(decision));
        onBack(at);
      }, tell);
    },
    [numbers, change],
  );

  const dismiss = useCallback(() => setTrouble(""), []);
  return { index, numbers, decisions, trouble, decideOn, undoLast, dismiss };
}

// ------------------------------------------------------------------ single puzzles

const kept = new Map<string, Promise<Puzzle>>();
const MOST_KEPT = 200;

/** The puzzle of this name; asked for once, then kept for a while. */
export function loadPuzzle(name: string): Promise<Puzzle> {
  const found = kept.get(name);
  if (found) return found;
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  const asked = fetchPuzzle(name);
  kept.set(name, asked);
  asked.catch(() => kept.delete(name));
  return asked;
}

/** What is shown under a name: a puzzle, or the line that says why it can't be. */
export interface Shown {
  readonly name: string;
  readonly puzzle: Puzzle | string;
}

/** The puzzle of this name; until it is there, the one before. Those of `ahead` are asked for, too. */
export function usePuzzle(name: string | undefined, ahead: readonly string[]): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    if (!name) return;
    let isWanted = true;
    const show = (puzzle: Puzzle | string) => isWanted && setShown({ name, puzzle });
    loadPuzzle(name).then(
      (puzzle) => {
        show(puzzle);
        for (const each of ahead) loadPuzzle(each).catch(() => undefined);
      },
      (error: Error) => show(error.message),
    );
    return () => {
      isWanted = false;
    };
    // What is asked for ahead follows from the name.
  }, [name]);
  return shown;
}
