/** A run's recorded games: which there are, and one of them replayed. */

import { fetchFiles, fetchGame, type GamesFile } from "../api/games";
import { Select } from "../design/parts";
import { Link } from "../shell/Link";
import { usePolling } from "../shell/polling";
import { go } from "../shell/route";
import { DiplomacyReplay } from "./DiplomacyReplay";
import { Replay } from "./Replay";

interface GamesOfRunProps {
  readonly name: string;
  readonly file?: string;
  readonly number?: string;
}

export function GamesOfRun({ name, file, number }: GamesOfRunProps) {
  const { answer, trouble } = usePolling(`files ${name}`, () => fetchFiles(name), () => null);
  const files = answer?.files ?? [];
  const shown = files.find((each) => each.file === file) ?? files[0];
  const chosen = shown ? (file === shown.file && number ? number : String(shown.first)) : "";
  return (
    <>
      <div>
        <nav className="crumbs" aria-label="Way back">
          <Link to="/runs">Runs</Link> › <Link to={`/runs/${encodeURIComponent(name)}`}>{name}</Link> ›
        </nav>
        <header className="headline">
          <h1>Games</h1>
          {shown && <Choice name={name} files={files} shown={shown} number={chosen} />}
        </header>
      </div>
      {trouble && <p className="trouble">{trouble}</p>}
      {answer && !shown && <p className="note">No game is on the disk yet; the first ones come with the first shard of self-play.</p>}
      {shown && <Chosen key={`${shown.file} ${chosen}`} name={name} file={shown.file} number={chosen} />}
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly files: readonly GamesFile[];
  readonly shown: GamesFile;
  readonly number: string;
}

function Choice({ name, files, shown, number }: ChoiceProps) {
  const show = (file: string, game: string | number) => go(`/runs/${encodeURIComponent(name)}/games/${file}/${game}`);
  return (
    <div className="doing game-choice">
      <Select
        aria-label="File"
        value={shown.file}
        onChange={(event) => show(event.target.value, files.find(({ file }) => file === event.target.value)!.first)}
      >
        {files.map(({ file, iteration, games }) => (
          <option key={file} value={file}>
            iteration {iteration}, {games} games: {file}
          </option>
        ))}
      </Select>
      <Select aria-label="Game" value={number} onChange={(event) => show(shown.file, event.target.value)}>
        {Array.from({ length: shown.games }, (_, i) => (
          <option key={i} value={shown.first + i}>
            game {shown.first + i}
          </option>
        ))}
      </Select>
    </div>
  );
}

function Chosen({ name, file, number }: { name: string; file: string; number: string }) {
  const { answer, trouble } = usePolling(`game ${name} ${file} ${number}`, () => fetchGame(name, file, number), () => null);
  if (!answer) return trouble ? <p className="trouble">{trouble}</p> : <p className="waiting">Playing the game again …</p>;
  if ("phases" in answer) return <DiplomacyReplay record={answer} run={name} file={file} number={number} />;
  return <Replay record={answer} />;
}
