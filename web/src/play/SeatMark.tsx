/** A seat as a dot in the colour of its pieces. */

import { seatColour } from "./names";

export function SeatMark({ game, seat }: { game: string; seat: number }) {
  return <i className={`seat-mark ${seatColour(game, seat)}`} aria-hidden="true" />;
}
