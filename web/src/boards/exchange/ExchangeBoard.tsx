/** EXCHANGE: click a piece, then where it goes or whom it hits; a click that may mean several moves asks which. */

import { useEffect, useState, type KeyboardEvent } from "react";
import { Button } from "../../design/parts";
import type { BoardProps, ExchangeView, Piece } from "../view";
import { DECREE, PASS, aims, isHeal, movesFrom, movesTo, readMove, squareName, words, type Move } from "./moves";

const CELL = 56;
const ABILITIES = ["Royal Decree", "Overextend", "Interpose", "Consecration", "Skirmish", "Advance"];
const NAMES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const STEPS: Record<string, readonly [number, number]> = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export function ExchangeBoard({ view, history, ply, last, seat, legal, isTable, onPlay }: BoardProps<ExchangeView>) {
  const [chosen, setChosen] = useState(-1);
  const [looked, setLooked] = useState(-1); // a piece that can't be chosen, but told about
  const [choices, setChoices] = useState<readonly Move[]>([]);
  const [cursor, setCursor] = useState(-1);
  const [isFocused, setFocused] = useState(false);
  useEffect(() => (setChosen(-1), setLooked(-1), setChoices([])), [ply]);
  const own = chosen >= 0 ? movesFrom(legal, chosen) : [];
  const play = (action: number) => (setChosen(-1), setChoices([]), onPlay?.(action));

  const click = (square: number) => {
    if (!onPlay) return;
    const meant = movesTo(own, square);
    if (meant.length === 1) return play(meant[0]!.action);
    setChoices(meant);
    if (meant.length) return;
    setChosen(square !== chosen && movesFrom(legal, square).length ? square : -1);
    setLooked(square);
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const turn = seat === 1 ? -1 : 1;
    if (step) setCursor(stepFrom(cursor < 0 ? (seat === 1 ? 60 : 4) : cursor, step[0] * turn, step[1] * turn));
    else if (event.key === "Enter" && cursor >= 0) click(cursor);
    else if (event.key === "Escape") (setChosen(-1), setChoices([]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const mustPass = legal.length > 0 && legal.every(([action]) => action === PASS);
  return (
    <div className={onPlay ? "exchange playing" : "exchange"}>
      <svg
        viewBox={`-18 0 ${8 * CELL + 22} ${8 * CELL + 20}`}
        tabIndex={isTable ? 0 : undefined}
        role="application"
        aria-label={`EXCHANGE: ${view.standing}`}
        onKeyDown={isTable ? press : undefined}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onMouseDown={(event) => event.preventDefault()}
      >
        {Array.from({ length: 64 }, (_, square) => (
          <Square key={square} square={square} seat={seat} isCursor={isFocused && square === cursor} onClick={() => click(square)} />
        ))}
        {Array.from({ length: 8 }, (_, i) => (
          <g key={i} className="square-names">
            <text x={(seat === 1 ? 7 - i : i) * CELL + CELL / 2} y={8 * CELL + 15}>
              {"abcdefgh"[i]}
            </text>
            <text x={-10} y={(seat === 1 ? i : 7 - i) * CELL + CELL / 2 + 4}>
              {i + 1}
            </text>
          </g>
        ))}
        {last && <LastMove action={last.action} seat={seat} />}
        {view.pieces.map((piece) => (
          <PieceMark key={piece[0]} piece={piece} outline={history.outlines?.[piece[1]] ?? ""} seat={seat} />
        ))}
        {chosen >= 0 && <Frame square={chosen} seat={seat} kind="chosen" />}
        <Hints moves={choices.length ? choices : own} seat={seat} />
      </svg>
      {isFocused && cursor >= 0 && (
        <span className="visually-hidden" aria-live="assertive">
          {squareName(cursor)}, {describe(view.pieces, cursor) || "empty"}
        </span>
      )}
      {isTable && (
        <div className="exchange-choices" aria-live="polite">
          {choices.map((move) => (
            <Button key={move.action} data-move={move.text} onClick={() => play(move.action)}>
              {words(move)}
            </Button>
          ))}
          {onPlay && mustPass && <Button onClick={() => play(PASS)}>Pass: nothing else is legal</Button>}
          {onPlay && !choices.length && !mustPass && <small>{hint(view.pieces, chosen, looked, seat, own)}</small>}
        </div>
      )}
    </div>
  );
}

/** A piece in words; nothing for an empty square. */
function describe(pieces: readonly Piece[], square: number): string {
  const piece = pieces.find(([at]) => at === square);
  if (!piece) return "";
  const [, kind, side, hp, most, cooldown, charges, mostCharges] = piece;
  const uses = mostCharges ? `, ${ABILITIES[kind]} ${charges === 1 ? "once" : `${charges} times`} more` : "";
  const wait = cooldown ? `, ${ABILITIES[kind]} again in ${cooldown} ${cooldown === 1 ? "turn" : "turns"}` : "";
  return `${side ? "Black" : "White"}'s ${NAMES[kind]}, ${hp} of ${most} HP${uses}${wait}`;
}

/** What to do next. */
function hint(pieces: readonly Piece[], chosen: number, looked: number, seat: number, moves: readonly Move[]): string {
  const told = describe(pieces, chosen < 0 ? looked : chosen);
  if (!told) return "Choose a piece.";
  if (chosen < 0) {
    const isOwn = pieces.some(([at, , side]) => at === looked && side === seat);
    return isOwn ? `${told}: it can do nothing now.` : `${told}. Choose a piece of yours.`;
  }
  const ways = [
    moves.some(({ start, end }) => start !== end) && "a dot to go there",
    moves.some(aims) && "a frame to hit or heal",
    moves.some(({ kind }) => kind === DECREE) && "the king again for Royal Decree",
  ].filter(Boolean);
  return `${told}. Click ${ways.join(", or ")}.`;
}

function corner(square: number, seat: number): [number, number] {
  const file = square % 8;
  const rank = Math.floor(square / 8);
  return seat === 1 ? [(7 - file) * CELL, rank * CELL] : [file * CELL, (7 - rank) * CELL];
}

function stepFrom(square: number, right: number, up: number): number {
  const file = Math.min(7, Math.max(0, (square % 8) + right));
  return file + 8 * Math.min(7, Math.max(0, Math.floor(square / 8) + up));
}

function Square({ square, seat, isCursor, onClick }: { square: number; seat: number; isCursor: boolean; onClick: () => void }) {
  const [x, y] = corner(square, seat);
  const shade = ((square % 8) + Math.floor(square / 8)) % 2 ? "light" : "dark";
  return (
    <rect
      className={`square ${shade} ${isCursor ? "cursor" : ""}`}
      data-square={squareName(square)}
      x={x}
      y={y}
      width={CELL}
      height={CELL}
      onClick={onClick}
    />
  );
}

function Frame({ square, seat, kind }: { square: number; seat: number; kind: string }) {
  const [x, y] = corner(square, seat);
  return <rect className={`square-frame ${kind}`} x={x + 1.5} y={y + 1.5} width={CELL - 3} height={CELL - 3} rx="4" />;
}

/** Where the chosen piece may go, and at whom it may aim. */
function Hints({ moves, seat }: { moves: readonly Move[]; seat: number }) {
  const ends = new Set(moves.filter(({ start, end }) => start !== end).map(({ end }) => end));
  const targets = new Map(moves.filter(aims).map((move) => [move.target, isHeal(move)]));
  return (
    <g className="hints">
      {[...ends].map((square) => {
        const [x, y] = corner(square, seat);
        return <circle key={square} cx={x + CELL / 2} cy={y + CELL / 2} r="8" />;
      })}
      {[...targets].map(([square, heals]) => (
        <Frame key={square} square={square} seat={seat} kind={heals ? "heal" : "aim"} />
      ))}
    </g>
  );
}

function LastMove({ action, seat }: { action: number; seat: number }) {
  if (action === PASS) return null;
  const move = readMove([action, "", ""]);
  return (
    <g>
      {[...new Set([move.start, move.end])].map((square) => (
        <Frame key={square} square={square} seat={seat} kind="last" />
      ))}
      {aims(move) && <Frame square={move.target} seat={seat} kind={isHeal(move) ? "heal" : "aim"} />}
    </g>
  );
}

function PieceMark({ piece, outline, seat }: { piece: Piece; outline: string; seat: number }) {
  const [square, kind, side, hp, most, cooldown, charges, mostCharges, wasPawn] = piece;
  const [x, y] = corner(square, seat);
  const share = hp / most;
  const health = share > 0.6 ? "healthy" : share > 0.3 ? "hurt" : "dying";
  return (
    <g className="piece" transform={`translate(${x},${y})`}>
      <title>
        {`${side ? "Black" : "White"}'s ${NAMES[kind]}, ${hp} of ${most} HP`}
        {cooldown ? `, cooldown ${cooldown}` : ""}
      </title>
      <path className={side ? "piece-black" : "piece-white"} d={outline} transform={`translate(${CELL / 2},40)`} />
      {wasPawn && <circle className="piece-crown" cx={CELL / 2} cy="26" r="3.2" />}
      <rect className="piece-lost" x="6" y={CELL - 10} width="44" height="4.5" rx="2" />
      <rect className={`piece-hp ${health}`} x="6" y={CELL - 10} width={44 * share} height="4.5" rx="2" />
      <text className="piece-number" x="4" y="12">
        {hp}
      </text>
      {Array.from({ length: charges }, (_, i) => (
        <circle key={i} className="piece-charge" cx={CELL - 5} cy={CELL - 15 - 5 * i} r="1.7" />
      ))}
      {mostCharges > 0 && charges === 0 && <path className="piece-spent" d={`M${CELL - 7},${CELL - 17}l4,4m0,-4l-4,4`} />}
      {cooldown > 0 && (
        <>
          <circle className="piece-waiting" cx={CELL - 8} cy="9" r="6" />
          <text className="piece-cooldown" x={CELL - 8} y="12.4">
            {cooldown}
          </text>
        </>
      )}
    </g>
  );
}
