/** A seat as a dot in the colour of its pieces. */

import { seatColour } from "./names";

export function SeatMark({ game, seat }: { game: string; seat: number }) {
  return <span className={`seat-mark ${seatColour(game, seat)}`} aria-hidden="true" />;
}
