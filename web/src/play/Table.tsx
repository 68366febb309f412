/** A table: the board, what the bot thought, what a search would do, and the game so far. */

import { useEffect, useRef, useState } from "react";
import { type TableData, type TableMove, beginAgain } from "../api/play";
import { Board } from "../boards/Board";
import { Badge, Button } from "../design/parts";
import { useKeys } from "../shell/keys";
import { Link } from "../shell/Link";
import { go } from "../shell/route";
import { Waiting } from "../shell/Waiting";
import { Judgement } from "./Judgement";
import { gameTitle, resultWord, seatTitle } from "./names";
import { rulesOf } from "./rules";
import { RulesDialog } from "./RulesDialog";
import { SeatMark } from "./SeatMark";
import { useTable } from "./useTable";

export function Table({ name }: { name: string }) {
  const at = useTable(name);
  const { table, board, shown, opinion, isAsking, trouble } = at;
  const [areRulesOpen, openRules] = useState(false);
  const isShown = table !== null && shown === table.ply;
  const isOwn = isShown && !table.is_over && table.to_move === table.seat && !table.is_thinking;
  const canUndo = table !== null && !table.is_thinking && table.moves.some(({ seat }) => seat === table.seat);
  const isOver = isShown && table.is_over;
  const again = () => beginAgain(name).then((next) => go(`/play/${encodeURIComponent(next.name)}`), at.complain);
  useKeys([
    { keys: ["z"], shown: "Z", does: "take your last move back", act: () => canUndo && at.undo() },
    { keys: ["o"], shown: "O", does: "ask for an opinion", act: () => isOwn && at.askOpinion() },
    { keys: ["n"], shown: "N", does: "after the end: play again, from the other seat", act: () => isOver && again() },
  ]);
  if (!table || !board) return <Waiting words="Coming to the table …" trouble={trouble} back="/play" backTo="All games" />;
  const last = shown > 0 ? table.moves[shown - 1]! : null;
  const isTruth = opinion !== null && opinion.model === null && opinion.rows.some(({ regret }) => regret != null);
  const thought = lastThought(table.moves.slice(0, shown));
  return (
    <>
      <div>
        <nav className="crumbs" aria-label="Way back">
          <Link to="/play">Play</Link> ›
        </nav>
        <header className="headline">
          <h1>{gameTitle(table.game)}</h1>
          <span className="about">
            you are {seatTitle(table.game, table.seat)}, against {table.opponent}
          </span>
          <div className="doing">
            {rulesOf(table.game) && (
              <Button tone="quiet" onClick={() => openRules(true)}>
                Rules
              </Button>
            )}
            <Button keys="Z" disabled={!canUndo} onClick={at.undo}>
              Undo
            </Button>
            {!isOver && (
              <Button keys="O" disabled={!isOwn || isAsking} onClick={at.askOpinion}>
                {isAsking ? "Thinking …" : "Opinion"}
              </Button>
            )}
            {isOver && <Button onClick={() => go(`/play/${encodeURIComponent(name)}/replay`)}>Replay</Button>}
            {isOver && (
              <Button tone="primary" keys="N" onClick={again}>
                Play again
              </Button>
            )}
          </div>
        </header>
      </div>
      {(trouble || table.problem) && (
        <p className="trouble" role="alert">
          {trouble || table.problem}
        </p>
      )}
      <div className="at-table">
        <section className="table-board" data-ply={shown} data-turn={isOwn ? "you" : table.is_over && isShown ? "over" : "bot"}>
          <Turn table={table} isShown={isShown} isOwn={isOwn} standing={board.standing} last={last} />
          <Board
            view={board}
            history={table}
            ply={shown}
            last={last}
            seat={table.seat}
            names={table.names}
            toMove={isShown ? table.to_move : (table.moves[shown]?.seat ?? null)}
            legal={isOwn ? table.legal : []}
            isTable
            onPlay={isOwn ? at.play : undefined}
          />
        </section>
        <aside className="table-side">
          {opinion && (
            <Judgement
              title="Opinion"
              note={opinion.model ? `${opinion.kind} with ${opinion.model}` : isTruth ? "what the solved game knows" : `${opinion.kind}, knows the rules alone`}
              isTruth={isTruth}
              value={opinion.model ? (opinion.values[table.seat] ?? null) : null}
              rows={opinion.rows}
            />
          )}
          {thought && (
            <Judgement
              title={`What ${table.opponent} thought`}
              note={`before ${thought.text.replaceAll("_", " ")}`}
              value={thought.thought!.values[thought.seat] ?? null}
              rows={thought.thought!.rows}
              played={thought.action}
              whose="it"
            />
          )}
          <Moves table={table} shown={shown} />
        </aside>
      </div>
      {areRulesOpen && <RulesDialog game={table.game} onClose={() => openRules(false)} />}
    </>
  );
}

function lastThought(moves: readonly TableMove[]): TableMove | null {
  return moves.findLast(({ thought }) => thought !== null) ?? null;
}

interface TurnProps {
  readonly table: TableData;
  readonly isShown: boolean;
  readonly isOwn: boolean;
  readonly standing: string;
  readonly last: TableMove | null;
}

function Turn({ table, isShown, isOwn, standing, last }: TurnProps) {
  const isOver = table.is_over && isShown;
  const tone = !isOver ? (isOwn ? "now" : "plain") : table.result!.lead > 0 ? "good" : table.result!.lead < 0 ? "bad" : "plain";
  const word = isOver ? `You ${resultWord(table.result!.lead)}`.replace("You drawn", "A draw") : isOwn ? "Your move" : `${table.opponent} is thinking`;
  const who = last && (last.seat === table.seat ? "you" : table.opponent);
  return (
    <p className="turn" role="status">
      <Badge tone={tone}>{word}</Badge>
      <span>{last && !isOver ? `${who}: ${last.text.replaceAll("_", " ")}${last.told ? `, ${last.told}` : ""}` : standing}</span>
    </p>
  );
}

function Moves({ table, shown }: { table: TableData; shown: number }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [shown]);
  const moves = table.moves.slice(0, shown);
  const known = moves.filter(({ regret }) => regret !== null);
  const given = known.reduce((sum, { regret }) => sum + regret!, 0);
  return (
    <section className="card moves-card">
      <h2>Moves</h2>
      {known.length > 0 && (
        <p className="note" data-given={given.toFixed(2)}>
          You have given away <b>{given.toFixed(1)} points</b> in {known.length} {known.length === 1 ? "decision" : "decisions"}, beside best play.
        </p>
      )}
      {!moves.length && <p className="note">Nothing has been played yet.</p>}
      <ol ref={list} className="move-list">
        {moves.map((move, i) => (
          <li key={i} className={move.seat === table.seat ? "own" : undefined}>
            <span>{i + 1}</span>
            <SeatMark game={table.game} seat={move.seat} />
            <b>{move.text.replaceAll("_", " ")}</b>
            <small>{move.told}</small>
            {move.regret !== null && (
              <i className={move.regret < 0.005 ? "best" : "given"} title="given away, beside best play">
                {move.regret < 0.005 ? "best" : `−${move.regret.toFixed(2)}`}
              </i>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
