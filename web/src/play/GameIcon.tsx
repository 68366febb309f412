/** A small picture of a game, to find it by. */

import type { ReactNode } from "react";

const LINES = "icon-lines";
const ICONS: Record<string, ReactNode> = {
  connect_four: (
    <>
      <rect className="icon-rack" x="3" y="3" width="34" height="34" rx="7" />
      {[12, 20, 28].flatMap((y) => [12, 20, 28].map((x) => <circle key={`${x} ${y}`} className={discAt(x, y)} cx={x} cy={y} r="3.2" />))}
    </>
  ),
  exchange: (
    <>
      <path className="icon-piece" d="M20 4v7m-3.5-3.5h7M13 27c-6-9 1-14 7-8 6-6 13-1 7 8zM12 30h16v4H12z" />
      <path className="icon-health" d="M9 37.5h15" />
    </>
  ),
  go: (
    <>
      <path className={LINES} d="M4 12h32M4 20h32M4 28h32M12 4v32M20 4v32M28 4v32" />
      <circle className="icon-black" cx="20" cy="20" r="5.4" />
      <circle className="icon-white" cx="28" cy="12" r="5.4" />
    </>
  ),
  tictactoe: (
    <>
      <path className={LINES} d="M15 5v30M25 5v30M5 15h30M5 25h30" />
      <path className="icon-x" d="M7 7l6 6m0-6l-6 6" />
      <circle className="icon-o" cx="20" cy="20" r="3.4" />
    </>
  ),
  yatzy: (
    <>
      <rect className="icon-die" x="5" y="5" width="30" height="30" rx="7" />
      {[
        [13, 13],
        [27, 13],
        [20, 20],
        [13, 27],
        [27, 27],
      ].map(([x, y]) => (
        <circle key={`${x} ${y}`} className="icon-pip" cx={x} cy={y} r="2.7" />
      ))}
    </>
  ),
};

export function GameIcon({ game }: { game: string }) {
  const kind = game.startsWith("go") && /^go\d+$/.test(game) ? "go" : game.replace(/_rich$/, "");
  return (
    <svg className="game-icon" viewBox="0 0 40 40" aria-hidden="true">
      {ICONS[kind] ?? <path className="icon-piece" d="M20 5a7 7 0 0 1 4 12l4 14H12l4-14a7 7 0 0 1 4-12zM9 35h22" />}
    </svg>
  );
}

function discAt(x: number, y: number): string {
  if (y === 28 && x < 28) return x === 12 ? "icon-red" : "icon-yellow";
  return x === 12 && y === 20 ? "icon-yellow" : "icon-hole";
}
