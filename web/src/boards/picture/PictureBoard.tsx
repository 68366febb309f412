/** Any other game: the picture that it draws of itself, or its text, and its moves by name. */

import { Button } from "../../design/parts";
import type { BoardProps, Legal, PictureView } from "../view";

export function PictureBoard({ view, legal, onPlay }: BoardProps<PictureView>) {
  return (
    <div className="picture-board">
      {view.svg ? (
        <img alt={view.standing} src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(view.svg)}`} />
      ) : (
        <pre>{view.text}</pre>
      )}
      {onPlay &&
        [...grouped(legal)].map(([group, moves]) => (
          <div key={group} className="picture-moves" role="group" aria-label={group || "Moves"}>
            {group && <small>{group}</small>}
            {moves.map(([action, text]) => (
              <Button key={action} data-action={action} onClick={() => onPlay(action)}>
                {text}
              </Button>
            ))}
          </div>
        ))}
    </div>
  );
}

function grouped(legal: readonly Legal[]): Map<string, Legal[]> {
  const groups = new Map<string, Legal[]>();
  for (const move of legal) groups.set(move[2], [...(groups.get(move[2]) ?? []), move]);
  return groups;
}
