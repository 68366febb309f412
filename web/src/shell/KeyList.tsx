/** Keys and what they do. */

import { Key } from "../design/parts";
import type { KeyAction } from "./keys";

export function KeyList({ actions }: { actions: readonly KeyAction[] }) {
  return (
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
  );
}
