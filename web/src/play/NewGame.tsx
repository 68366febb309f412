/** A new game: which one, against whom, from which seat. */

import { useState } from "react";
import { type GameChoice, type Opponent, beginTable } from "../api/play";
import { Button, Select } from "../design/parts";
import { go, useRoute } from "../shell/route";
import { GameIcon } from "./GameIcon";
import { botNote, gameTitle, seatTitle } from "./names";
import { rulesOf } from "./rules";
import { RulesDialog } from "./RulesDialog";

const STRENGTHS = [25, 100, 400, 1600];
const KINDS: readonly (readonly [Opponent["kind"], string])[] = [
  ["pretrained", "Players that are ready"],
  ["model", "Your models"],
  ["run", "Best of your runs"],
  ["bot", "Bots"],
];

export function NewGame({ games }: { games: readonly GameChoice[] }) {
  const { query } = useRoute();
  const [game, setGame] = useState(query.get("game") ?? games[0]!.name);
  const [against, setAgainst] = useState(query.get("against") ?? "");
  const [seat, setSeat] = useState(0);
  const [simulations, setSimulations] = useState(100);
  const [trouble, setTrouble] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [areRulesOpen, openRules] = useState(false);
  const choice = games.find(({ name }) => name === game) ?? games[0]!;
  const opponent = choice.opponents.find(({ name }) => name === against) ?? usualOpponent(choice.opponents);
  const note = opponent.note || botNote(opponent.name);
  const begin = () => {
    setBusy(true);
    beginTable({ game: choice.name, against: opponent.name, seat: Math.min(seat, choice.players - 1), simulations }).then(
      ({ name }) => go(`/play/${encodeURIComponent(name)}`),
      (error: Error) => (setTrouble(error.message), setBusy(false)),
    );
  };
  return (
    <section className="card new-game">
      <fieldset className="game-choices">
        <legend className="visually-hidden">Game</legend>
        {games.map(({ name }) => (
          <label key={name} data-game={name}>
            <input
              className="visually-hidden"
              type="radio"
              name="game"
              checked={name === choice.name}
              onChange={() => (setGame(name), setTrouble(""))}
            />
            <GameIcon game={name} />
            <span>{gameTitle(name)}</span>
          </label>
        ))}
      </fieldset>
      <p className="note">
        {choice.title.charAt(0).toUpperCase() + choice.title.slice(1)}.{" "}
        {rulesOf(choice.name) && (
          <button type="button" className="text-button" onClick={() => openRules(true)}>
            How it is played
          </button>
        )}
      </p>
      <div className="new-game-fields">
        <label>
          <span>Against</span>
          <Select aria-label="Against" value={opponent.name} onChange={(event) => setAgainst(event.target.value)}>
            {KINDS.map(([kind, title]) => (
              <Group key={kind} title={title} opponents={choice.opponents.filter((each) => each.kind === kind)} />
            ))}
          </Select>
        </label>
        <label>
          <span>You are</span>
          <Select aria-label="Seat" value={Math.min(seat, choice.players - 1)} onChange={(event) => setSeat(Number(event.target.value))}>
            {Array.from({ length: choice.players }, (_, i) => (
              <option key={i} value={i}>
                {seatTitle(choice.name, i)}
                {i === 0 && " (first)"}
              </option>
            ))}
          </Select>
        </label>
        <label>
          <span>Its search a move</span>
          <Select
            aria-label="Simulations"
            disabled={opponent.kind === "bot"}
            value={simulations}
            onChange={(event) => setSimulations(Number(event.target.value))}
          >
            {STRENGTHS.map((count) => (
              <option key={count} value={count}>
                {count.toLocaleString("en")} simulations
              </option>
            ))}
          </Select>
        </label>
        <Button tone="primary" className="begin" disabled={isBusy} onClick={begin}>
          {isBusy ? "Setting up …" : "Begin"}
        </Button>
      </div>
      {note && (
        <p className="note">
          <b>{opponent.name}</b>: {note}
        </p>
      )}
      {trouble && (
        <p className="trouble" role="alert">
          {trouble}
        </p>
      )}
      {areRulesOpen && <RulesDialog game={choice.name} onClose={() => openRules(false)} />}
    </section>
  );
}

function Group({ title, opponents }: { title: string; opponents: readonly Opponent[] }) {
  if (!opponents.length) return null;
  return (
    <optgroup label={title}>
      {opponents.map(({ name, kind }) => (
        <option key={name} value={name}>
          {kind === "run" ? name.replace(/^run /, "best of ") : name}
        </option>
      ))}
    </optgroup>
  );
}

/** Whoever plays best, as far as can be told: a measured player, then somebody's own, then the game's own bot. */
function usualOpponent(opponents: readonly Opponent[]): Opponent {
  const first = KINDS.flatMap(([kind]) => opponents.filter((each) => each.kind === kind)).find(({ kind }) => kind !== "bot");
  return first ?? opponents.at(-1)!;
}
