/** Yatzy: dice to hold and to roll, and the score sheet to mark in. */

import { useEffect, useRef, useState } from "react";
import { Button } from "../../design/parts";
import { useKeys } from "../../shell/keys";
import type { BoardProps, YatzyView } from "../view";
import { Die } from "./Die";
import { BONUS, BONUS_AT, categoryTitle, FIRST_MARK, KEEP_ALL, UPPER, carryOver, column, heldBy, keepAction } from "./sheet";

const NONE = [false, false, false, false, false];

export function YatzyBoard(props: BoardProps<YatzyView>) {
  const { view, last, legal, toMove, onPlay } = props;
  const [held, setHeld] = useHeld(props);
  const sheet = useRef<HTMLDivElement>(null);
  const canRoll = !!onPlay && view.rerolls > 0;
  const keep = keepAction(held);
  const toggle = (i: number) => canRoll && setHeld(held.map((each, j) => (i === j ? !each : each)));
  const roll = () => canRoll && keep !== KEEP_ALL && onPlay(keep);
  useKeys([
    ...[0, 1, 2, 3, 4].map((i) => ({ keys: [String(i + 1)], shown: i ? "" : "1 … 5", does: "hold a die, or let it go", act: () => toggle(i) })),
    { keys: ["r"], shown: "R", does: "roll the others", act: roll },
    { keys: ["ArrowDown"], shown: "↑ ↓", does: "go through the open categories; Enter marks", act: () => stepCategory(sheet.current, 1) },
    { keys: ["ArrowUp"], shown: "", does: "", act: () => stepCategory(sheet.current, -1) },
  ]);
  const isMarked = last !== null && last.action >= FIRST_MARK;
  const hasDice = view.dice.some(Boolean);
  return (
    <div className="yatzy" ref={sheet}>
      {hasDice && (
        <div className="dice" role="group" aria-label="Dice">
          {view.dice.map((face, i) => (
            <Die key={i} face={face} place={i} isHeld={held[i]!} onToggle={canRoll ? () => toggle(i) : undefined} />
          ))}
        </div>
      )}
      {onPlay && (
        <div className="roll">
          <Button keys="R" disabled={!canRoll || keep === KEEP_ALL} onClick={roll}>
            {keep === 0 ? "Roll all" : keep === KEEP_ALL ? "All are held" : `Roll ${held.filter((each) => !each).length}`}
          </Button>
          <small>{view.rerolls ? `${view.rerolls} ${view.rerolls === 1 ? "roll" : "rolls"} left, or mark` : "Mark a category"}</small>
        </div>
      )}
      <Sheet {...props} legal={onPlay ? legal : []} latest={isMarked ? { seat: last.seat, category: last.action - FIRST_MARK } : null} toMove={toMove} />
    </div>
  );
}

/** Bring the focus to the next open category; from elsewhere, to the one that is worth most. */
function stepCategory(sheet: HTMLElement | null, step: number): void {
  const open = [...(sheet?.querySelectorAll<HTMLElement>("[data-category]") ?? [])];
  const at = open.indexOf(document.activeElement as HTMLElement);
  const best = open.reduce((most, each) => (Number(each.textContent) > Number(most?.textContent ?? -1) ? each : most), open[0]);
  (at < 0 ? best : open[(at + step + open.length) % open.length])?.focus();
}

/** Which dice are held: none after a mark, the same faces after a roll; of a game that is looked at, those that were kept. */
function useHeld({ view, ply, last }: BoardProps<YatzyView>): [boolean[], (held: boolean[]) => void] {
  const [state, setState] = useState({ ply, dice: view.dice, held: NONE });
  let held = state.held;
  if (state.ply !== ply) {
    const isRoll = last !== null && last.action < KEEP_ALL && state.ply === ply - 1;
    held = isRoll ? carryOver(state.dice, heldBy(last.action), view.dice) : NONE;
  }
  useEffect(() => setState((before) => (before.ply === ply ? before : { ply, dice: view.dice, held })));
  return [held, (changed) => setState({ ply, dice: view.dice, held: changed })];
}

interface SheetProps extends BoardProps<YatzyView> {
  readonly latest: { readonly seat: number; readonly category: number } | null;
}

function Sheet({ view, history, ply, names, legal, toMove, latest, onPlay }: SheetProps) {
  const columns = [0, 1].map((seat) => column(history.marks ?? [], seat, ply, view.categories.length));
  const rows = view.categories.map((name, category) => {
    const isLegal = legal.some(([action]) => action === FIRST_MARK + category);
    return (
      <tr key={name}>
        <th scope="row">{categoryTitle(name)}</th>
        {columns.map((points, seat) => {
          const isLast = latest?.seat === seat && latest.category === category;
          if (isLegal && seat === toMove)
            return (
              <td key={seat} className="free">
                <button
                  type="button"
                  data-category={category}
                  className={view.worth[category] ? "worth" : "worth zero"}
                  aria-label={`Mark ${categoryTitle(name)} for ${view.worth[category]}`}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onPlay?.(FIRST_MARK + category)}
                >
                  {view.worth[category]}
                </button>
              </td>
            );
          const isTaken = view.open[seat]?.[category] === false;
          return (
            <td key={seat} className={isLast ? "latest" : undefined}>
              {isTaken ? (points[category] ?? "✓") : ""}
            </td>
          );
        })}
      </tr>
    );
  });
  return (
    <table className="score-sheet">
      <thead>
        <tr>
          <th />
          {names.slice(0, 2).map((name, seat) => (
            <th key={seat} scope="col" className={seat === toMove ? "mover" : undefined}>
              <span title={name}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, UPPER)}
        <tr className="upper">
          <th scope="row">bonus at {BONUS_AT}</th>
          {view.upper.map((points, seat) => (
            <td key={seat}>
              <progress max={BONUS_AT} value={points} aria-label="upper part" />
              <small>{points >= BONUS_AT ? `+${BONUS}` : points}</small>
            </td>
          ))}
        </tr>
        {rows.slice(UPPER)}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">total</th>
          {view.total.map((points, seat) => (
            <td key={seat}>{points}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
