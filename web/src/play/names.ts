/** Games, seats and bots as people call them. */

const GAMES: Record<string, string> = {
  connect_four: "Connect four",
  diplomacy: "Diplomacy",
  exchange: "EXCHANGE",
  go9: "Go 9×9",
  go13: "Go 13×13",
  go19: "Go 19×19",
  tictactoe: "Tic-tac-toe",
  yatzy: "Yatzy",
  yatzy_rich: "Yatzy, rich features",
};
const STONES = ["Black", "White"];
const SEATS: Record<string, readonly string[]> = {
  connect_four: ["Red", "Yellow"],
  exchange: ["White", "Black"],
  go9: STONES,
  go13: STONES,
  go19: STONES,
  tictactoe: ["X", "O"],
};
const BOTS: Record<string, string> = {
  random: "plays any legal move",
  greedy: "looks one move ahead",
  capture: "takes whatever it can, and saves its own",
  oracle: "plays the solved solitaire game: nobody gets more points on average",
};

export function gameTitle(name: string): string {
  return GAMES[name] ?? name;
}

export function seatTitle(game: string, seat: number): string {
  return SEATS[game]?.[seat] ?? `player ${seat + 1}`;
}

/** What its pieces look like, for a mark of that colour. */
export function seatColour(game: string, seat: number): string {
  const title = SEATS[game]?.[seat]?.toLowerCase() ?? "";
  return ["black", "white", "red", "yellow"].includes(title) ? title : seat % 2 ? "full" : "hollow";
}

/** A seat and whoever sat there, as far as it is known. */
export function seatWithName(game: string, seat: number, who: string): string {
  const name = botTitle(who);
  return name ? `${seatTitle(game, seat)} (${name})` : seatTitle(game, seat);
}

/** A bot's name without the hash and the ending of its file. */
export function botTitle(who: string): string {
  return who.replace(/@\w+/g, "").replace(/\.pt\b/g, "");
}

export function botNote(name: string): string {
  return BOTS[name] ?? "";
}

/** The games that people ask for first. */
export function inOrder<Choice extends { readonly name: string }>(games: readonly Choice[]): Choice[] {
  const order = ["yatzy", "connect_four", "exchange", "go9", "go13", "go19"];
  const place = ({ name }: Choice) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...games].sort((one, other) => place(one) - place(other) || one.name.localeCompare(other.name));
}

/** How a game ended for whoever played it. */
export function resultWord(lead: number): string {
  return lead > 0 ? "won" : lead < 0 ? "lost" : "drawn";
}
