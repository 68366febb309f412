/** The puzzle browser: the list on the left, the board in the middle, what is known on the right. */

import { useCallback, useEffect, useMemo, useState } from "react";
import type { Decision, PuzzleIndex } from "../api/puzzles";
import { Button } from "../design/parts";
import { Frame } from "../shell/Frame";
import { addressOf, go, useRoute } from "../shell/route";
import { Actions } from "./Actions";
import { Filters } from "./Filters";
import { type Filter, countDecisions, neighbour, readFilter, select, writeFilter } from "./filter";
import { type KeyAction, useKeys } from "../shell/keys";
import { type Library, useLibrary, usePuzzle } from "./library";
import { Progress } from "./Progress";
import { PuzzleList } from "./PuzzleList";
import { Workplace } from "./Workplace";

const NOTICE_MS = 8000;

export function PuzzlesPage() {
  const library = useLibrary();
  const { trouble, dismiss } = library;
  useEffect(() => {
    if (!trouble || !library.index) return;
    const timer = setTimeout(dismiss, NOTICE_MS);
    return () => clearTimeout(timer);
  }, [trouble, dismiss, library.index]);
  const counts = useMemo(() => countDecisions(library.decisions), [library.decisions]);
  return (
    <Frame page="puzzles" aside={library.index && <Progress counts={counts} />}>
      {library.index && <Review library={library} index={library.index} />}
      {!library.index && (
        <p className="waiting" role="status">
          {trouble || "Reading the puzzles …"}
        </p>
      )}
      {library.index && trouble && (
        <div className="notice" role="alert">
          {trouble}
          <Button tone="quiet" aria-label="Dismiss" onClick={dismiss}>
            ✕
          </Button>
        </div>
      )}
    </Frame>
  );
}

function Review({ library, index }: { library: Library; index: PuzzleIndex }) {
  const { rest, query } = useRoute();
  const { decisions, numbers } = library;
  const filter = useMemo(() => readFilter(query, index.ranks), [query, index]);
  const shown = useMemo(() => select(index, decisions, filter), [index, decisions, filter]);
  const current = numbers.get(rest) ?? -1;
  const ahead = [neighbour(shown, current, true), neighbour(shown, current, false)].flatMap((at) => index.names[at] ?? []);
  const seen = usePuzzle(rest || undefined, ahead);
  const puzzle = seen?.puzzle ?? null;
  const isSeen = current >= 0 && seen?.name === rest; // nobody decides about a puzzle that is still on its way
  const [isListOpen, setListOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const show = useCallback(
    (at: number, replace = false) => at >= 0 && go(addressOf("puzzles", index.names[at]!, query), replace),
    [index, query],
  );
  const closeList = useCallback(() => setListOpen(false), []);
  const turn = (isForward: boolean) => show(neighbour(shown, current, isForward));
  const decideOn = (decision: Decision) => {
    if (!isSeen) return;
    library.decideOn(current, decision);
    turn(true);
  };
  useEffect(() => {
    if (!rest && shown.length) show(shown.find((at) => decisions[at] === 0) ?? shown[0]!, true);
  }, [rest, shown, show, decisions]);

  const review: readonly KeyAction[] = [
    { keys: ["a"], shown: "A", does: "approve, and on to the next", act: () => decideOn("approved") },
    { keys: ["d"], shown: "D", does: "delete, and on to the next", act: () => decideOn("deleted") },
    { keys: ["z"], shown: "Z", does: "undo the last decision", act: () => library.undoLast(show) },
    { keys: ["ArrowLeft"], shown: "←", does: "previous puzzle", act: () => turn(false) },
    { keys: ["ArrowRight"], shown: "→", does: "next puzzle", act: () => turn(true) },
    {
      keys: ["/"],
      shown: "/",
      does: "search by id; Enter shows the first one found",
      act: () => document.getElementById("search")?.focus(),
    },
    { keys: ["?"], shown: "?", does: "this help", act: () => setHelpOpen(true) },
  ];
  const decision = current < 0 ? 0 : decisions[current]!;
  return (
    <div className={`browser ${isListOpen ? "with-list" : ""}`}>
      <nav className="sidebar" aria-label="Puzzles">
        <Filters
          index={index}
          filter={filter}
          count={shown.length}
          onChange={(changed: Filter) => go(addressOf("puzzles", rest, writeFilter(changed, index.ranks)), true)}
          onSubmit={() => show(shown[0] ?? -1)}
        />
        <Problems lines={index.problems} file={index.file} />
        <PuzzleList index={index} decisions={decisions} shown={shown} current={current} query={query} onChoose={closeList} />
      </nav>
      {puzzle && typeof puzzle !== "string" ? (
        <Workplace puzzle={puzzle} keys={review} isHelpOpen={isHelpOpen} onHelp={setHelpOpen} />
      ) : (
        <Nothing
          text={puzzle ?? (index.names.length ? "" : `${index.file} has no puzzles yet; reload the page once there are some.`)}
          keys={review}
        />
      )}
      <Actions
        decision={decision}
        isOff={current < 0}
        isListOpen={isListOpen}
        onList={() => setListOpen(!isListOpen)}
        onTurn={turn}
        onDecide={decideOn}
        onUndo={() => library.undoLast(show)}
        onHelp={() => setHelpOpen(true)}
      />
    </div>
  );
}

function Nothing({ text, keys }: { text: string; keys: readonly KeyAction[] }) {
  useKeys(keys);
  return (
    <>
      <main>
        {text && (
          <p className="said bad" role="alert">
            {text}
          </p>
        )}
      </main>
      <aside className="details" />
    </>
  );
}

function Problems({ lines, file }: { lines: readonly string[]; file: string }) {
  if (!lines.length) return null;
  return (
    <details className="problems">
      <summary>
        {lines.length === 1 ? "1 line" : `${lines.length} lines`} of {file} can't be shown
      </summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
