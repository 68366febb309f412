/** Where a game is begun, and where kept ones are found again. */

import { useState } from "react";
import { type TableRow, fetchLobby } from "../api/play";
import { Badge, Button } from "../design/parts";
import { ago } from "../runs/words";
import { Link } from "../shell/Link";
import { usePolling } from "../shell/polling";
import { Waiting } from "../shell/Waiting";
import { GameIcon } from "./GameIcon";
import { gameTitle, inOrder, resultWord } from "./names";
import { NewGame } from "./NewGame";

const FIRST = 8; // kept games that are shown at once

export function Lobby() {
  const { answer, trouble } = usePolling("lobby", fetchLobby, () => null);
  if (!answer) return <Waiting words="Setting the tables …" trouble={trouble} back="/runs" backTo="Runs" />;
  return (
    <>
      <header className="headline">
        <h1>Play</h1>
        <span className="about">against a bot, or a network that was trained</span>
      </header>
      <NewGame games={inOrder(answer.games)} />
      <Kept title="Go on with" tables={answer.tables.filter(({ is_over }) => !is_over)} />
      <Kept title="Games that are over" tables={answer.tables.filter(({ is_over }) => is_over)} />
    </>
  );
}

function Kept({ title, tables }: { title: string; tables: readonly TableRow[] }) {
  const [areAllShown, showAll] = useState(false);
  if (!tables.length) return null;
  const shown = areAllShown ? tables : tables.slice(0, FIRST);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="tables">
        {shown.map((table) => (
          <li key={table.name}>
            <Link className="card" to={`/play/${encodeURIComponent(table.name)}`}>
              <GameIcon game={table.game} />
              <b>{gameTitle(table.game)}</b>
              <Badge tone={table.is_over ? (table.lead! > 0 ? "good" : "plain") : "now"}>
                {table.is_over ? resultWord(table.lead!) : `move ${table.moves + 1}`}
              </Badge>
              <span>against {table.against}</span>
              <small title={table.name}>{ago(table.changed_ms, Date.now())}</small>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < tables.length && (
        <Button tone="quiet" onClick={() => showAll(true)}>
          Show all {tables.length}
        </Button>
      )}
    </section>
  );
}
