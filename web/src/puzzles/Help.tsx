/** The keys, and what can be done without them. */

import { Dialog } from "../design/parts";
import { KeyList } from "../shell/KeyList";
import type { KeyAction } from "../shell/keys";

export function Help({ actions, onClose }: { actions: readonly KeyAction[]; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <KeyList actions={actions} />
      <p>
        Click a point of the board to play there. A right move is answered, a wrong one refuted. Decisions are saved at once;
        the file of puzzles is never changed.
      </p>
    </Dialog>
  );
}
