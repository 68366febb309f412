/** Where a game is begun, and where kept ones are found again. */

import { useState } from "react";
import { type GameChoice, beginTable, fetchLobby } from "../api/play";
import { Badge, Button, Select } from "../design/parts";
import { ago } from "../runs/words";
import { Link } from "../shell/Link";
import { usePolling } from "../shell/polling";
import { go, useRoute } from "../shell/route";
import { gameTitle, inOrder, resultWord, seatTitle } from "./names";

const STRENGTHS = [25, 100, 400, 1600];

export function Lobby() {
  const { answer, trouble } = usePolling("lobby", fetchLobby, () => null);
  if (!answer) return <p className="waiting">{trouble || "Setting the tables …"}</p>;
  return (
    <>
      <header className="headline">
        <h1>Play</h1>
        <span className="about">against a bot, or a network that was trained</span>
      </header>
      <NewGame games={inOrder(answer.games)} />
      {answer.tables.length > 0 && (
        <section>
          <h2>Games that are kept</h2>
          <ul className="tables">
            {answer.tables.map((table) => (
              <li key={table.name}>
                <Link className="card" to={`/play/${encodeURIComponent(table.name)}`}>
                  <b>{gameTitle(table.game)}</b>
                  <span>against {table.against.join(", ").replace(/@\w+/g, "")}</span>
                  <Badge tone={table.is_over ? (table.lead! > 0 ? "good" : "plain") : "now"}>
                    {table.is_over ? resultWord(table.lead!) : `move ${table.moves + 1}`}
                  </Badge>
                  <small>
                    {table.name}, {ago(table.changed_ms, Date.now())}
                  </small>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function NewGame({ games }: { games: readonly GameChoice[] }) {
  const { query } = useRoute();
  const [game, setGame] = useState(query.get("game") ?? games[0]!.name);
  const [against, setAgainst] = useState(query.get("against") ?? "");
  const [seat, setSeat] = useState(0);
  const [simulations, setSimulations] = useState(100);
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const choice = games.find(({ name }) => name === game) ?? games[0]!;
  const opponent = choice.opponents.find(({ name }) => name === against) ?? choice.opponents.at(-1)!;
  const begin = () => {
    setBusy(true);
    beginTable({ game: choice.name, against: opponent.name, seat, simulations }).then(
      ({ name }) => go(`/play/${encodeURIComponent(name)}`),
      (error: Error) => (setTrouble(error.message), setBusy(false)),
    );
  };
  return (
    <section className="card new-game">
      <div className="game-choices" role="radiogroup" aria-label="Game">
        {games.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="radio"
            data-game={name}
            aria-checked={name === choice.name}
            title={title}
            onClick={() => setGame(name)}
          >
            {gameTitle(name)}
          </button>
        ))}
      </div>
      <p className="note">{choice.title}</p>
      <div className="new-game-fields">
        <label>
          <span>Against</span>
          <Select aria-label="Against" value={opponent.name} onChange={(event) => setAgainst(event.target.value)}>
            {choice.opponents.map(({ name, kind }) => (
              <option key={name} value={name}>
                {kind === "model" ? name.replace(/^run (.*)/, "best of run $1") : name}
              </option>
            ))}
          </Select>
        </label>
        <label>
          <span>You are</span>
          <Select aria-label="Seat" value={seat} onChange={(event) => setSeat(Number(event.target.value))}>
            {Array.from({ length: choice.players }, (_, i) => (
              <option key={i} value={i}>
                {seatTitle(choice.name, i)}
              </option>
            ))}
          </Select>
        </label>
        <label>
          <span>It may simulate</span>
          <Select aria-label="Simulations" value={simulations} onChange={(event) => setSimulations(Number(event.target.value))}>
            {STRENGTHS.map((count) => (
              <option key={count} value={count}>
                {count} a move
              </option>
            ))}
          </Select>
        </label>
        <Button className="begin" disabled={isBusy} onClick={begin}>
          {isBusy ? "Setting up …" : "Begin"}
        </Button>
      </div>
      {trouble && (
        <p className="trouble" role="alert">
          {trouble}
        </p>
      )}
    </section>
  );
}
