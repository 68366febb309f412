/** The keys, and what can be done without them. */

import { Dialog, Key } from "../design/parts";
import type { KeyAction } from "./keys";

export function Help({ actions, onClose }: { actions: readonly KeyAction[]; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="help">
        {actions.map(({ shown, does }) => (
          <div key={shown}>
            <dt>
              {shown.split(" ").map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>
        Click a point of the board to play there. A right move is answered, a wrong one refuted. Decisions are saved at once;
        the file of puzzles is never changed.
      </p>
    </Dialog>
  );
}
