/** Games and seats as people call them. */

const GAMES: Record<string, string> = {
  connect_four: "Connect four",
  exchange: "EXCHANGE",
  go9: "Go 9×9",
  go13: "Go 13×13",
  go19: "Go 19×19",
  tictactoe: "Tic-tac-toe",
  yatzy: "Yatzy",
  yatzy_rich: "Yatzy, rich features",
};
const SEATS: Record<string, readonly string[]> = { exchange: ["White", "Black"], go9: ["Black", "White"], go13: ["Black", "White"], go19: ["Black", "White"] };

export function gameTitle(name: string): string {
  return GAMES[name] ?? name;
}

export function seatTitle(game: string, seat: number): string {
  return SEATS[game]?.[seat] ?? ["first", "second"][seat] ?? `seat ${seat}`;
}

/** The games that people ask for first. */
export function inOrder<Choice extends { readonly name: string }>(games: readonly Choice[]): Choice[] {
  const order = ["yatzy", "connect_four", "exchange", "go9"];
  const place = ({ name }: Choice) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...games].sort((one, other) => place(one) - place(other) || one.name.localeCompare(other.name));
}

/** How a game ended for whoever played it. */
export function resultWord(lead: number): string {
  return lead > 0 ? "won" : lead < 0 ? "lost" : "drawn";
}
