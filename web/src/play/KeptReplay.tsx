/** A game that somebody played, to be stepped through. */

import { fetchRecord } from "../api/play";
import { Replay } from "../runs/Replay";
import { Link } from "../shell/Link";
import { usePolling } from "../shell/polling";
import { Waiting } from "../shell/Waiting";
import { gameTitle } from "./names";

export function KeptReplay({ name }: { name: string }) {
  const { answer, trouble } = usePolling(`record ${name}`, () => fetchRecord(name), () => null);
  if (!answer) return <Waiting words="Playing the game again …" trouble={trouble} back="/play" backTo="Play" />;
  return (
    <>
      <div>
        <nav className="crumbs" aria-label="Way back">
          <Link to="/play">Play</Link> › <Link to={`/play/${encodeURIComponent(name)}`}>{name}</Link> ›
        </nav>
        <header className="headline">
          <h1>{gameTitle(answer.game)}</h1>
        </header>
      </div>
      <Replay record={answer} />
    </>
  );
}
