/** How a game is played, over the page. */

import { Dialog } from "../design/parts";
import { gameTitle } from "./names";
import { rulesOf } from "./rules";

export function RulesDialog({ game, onClose }: { game: string; onClose: () => void }) {
  const found = rulesOf(game);
  if (!found) return null;
  return (
    <Dialog title={`${gameTitle(game)}: how it is played`} onClose={onClose}>
      <div className="rules">
        <p>
          <b>{found.aim}</b>
        </p>
        <ul>
          {found.rules.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <h3>On this page</h3>
        <ul>
          {found.board.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
