/** The bar of decisions and of ways through the puzzles. */

import type { Decision } from "../api/puzzles";
import { Button } from "../design/parts";
import { APPROVED, DECISIONS, DELETED } from "./filter";

interface Props {
  readonly decision: number;
  readonly isOff: boolean;
  readonly isListOpen: boolean;
  readonly onList: () => void;
  readonly onTurn: (isForward: boolean) => void;
  readonly onDecide: (decision: Decision) => void;
  readonly onUndo: () => void;
  readonly onHelp: () => void;
}

export function Actions({ decision, isOff, isListOpen, onList, onTurn, onDecide, onUndo, onHelp }: Props) {
  return (
    <footer className="actions" role="group" aria-label="Review">
      <Button tone="quiet" className="list-button" aria-expanded={isListOpen} aria-label="List of puzzles" onClick={onList}>
        ☰
      </Button>
      <Button tone="quiet" keys="←" aria-label="Previous puzzle" onClick={() => onTurn(false)}>
        ‹
      </Button>
      <Button tone="delete" keys="D" aria-pressed={decision === DELETED} disabled={isOff} onClick={() => onDecide("deleted")}>
        Delete
      </Button>
      <Button tone="quiet" keys="Z" onClick={onUndo}>
        Undo
      </Button>
      <Button
        tone="approve"
        keys="A"
        aria-pressed={decision === APPROVED}
        disabled={isOff}
        onClick={() => onDecide("approved")}
      >
        Approve
      </Button>
      <Button tone="quiet" keys="→" aria-label="Next puzzle" onClick={() => onTurn(true)}>
        ›
      </Button>
      <Button tone="quiet" keys="?" className="help-button" aria-label="Help" onClick={onHelp}>
        Keys
      </Button>
      <span className="visually-hidden" role="status">
        {DECISIONS[decision]}
      </span>
    </footer>
  );
}
