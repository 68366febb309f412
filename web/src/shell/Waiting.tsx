/** What stands in for what isn't there yet: a word about it, or what went wrong and the way back. */

import { Link } from "./Link";

interface WaitingProps {
  readonly words: string;
  readonly trouble: string;
  readonly back: string; // an address
  readonly backTo: string; // what is there
}

export function Waiting({ words, trouble, back, backTo }: WaitingProps) {
  if (!trouble) return <p className="waiting">{words}</p>;
  return (
    <div className="lost">
      <p className="trouble" role="alert">
        {trouble}
      </p>
      <p>
        <Link to={back}>← {backTo}</Link>
      </p>
    </div>
  );
}
