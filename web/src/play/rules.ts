/** How the games are played, for whoever sits down at a table. */

interface Rules {
  readonly aim: string;
  readonly rules: readonly string[];
  readonly board: readonly string[]; // what is seen and how it is clicked
}

const KEYBOARD = "By keyboard: Tab to the board, arrows, Enter.";

const GO: Rules = {
  aim: "Surround more of the board than your opponent.",
  rules: [
    "Black begins; a move is a stone on an empty point, or a pass.",
    "Stones that touch along the lines belong together. A group whose last empty neighbour is taken comes off the board.",
    "No stone may die by its own move, and no position of the board may come again.",
    "Two passes end the game. Whatever stands then counts as alive: capture what is dead before you pass.",
    "You get a point for each of your stones and for each empty point that only you surround. White gets 7.5 besides.",
  ],
  board: ["Click a point to play there; Pass is below the board.", KEYBOARD],
};

const YATZY: Rules = {
  aim: "Fill fifteen categories; the higher total wins.",
  rules: [
    "In a turn you roll five dice, then up to twice any of them again, and mark one open category.",
    "Ones to sixes count the pips of that face; 63 points in them together earn a bonus of 50.",
    "A pair, two pairs, three and four of a kind count the dice that make them; a full house and chance count all five.",
    "Small straight, 1 to 5, is worth 15, large straight, 2 to 6, is worth 20, five of a kind (yatzy) 50.",
  ],
  board: [
    "Click dice to hold them (keys 1 to 5), then roll the others (R). Click a category to mark it; the number in it is what you would get.",
    "By keyboard: up and down go through the open categories, Enter marks.",
    "The game for one board is solved, so each of your moves is held against best play: the points that it gave away stand beside it.",
  ],
};

const RULES: Record<string, Rules> = {
  connect_four: {
    aim: "Get four of your discs in a row: across, upright or slanting.",
    rules: ["Red begins. In turn you drop a disc into a column; it falls to the lowest free place.", "A full rack without four in a row is a draw."],
    board: ["Click a column, or press 1 to 7."],
  },
  exchange: {
    aim: "Kill the enemy king. Pieces are those of chess, with hit points; a hit throws a die.",
    rules: [
      "In a turn one piece moves, hits or uses its ability. Whoever hits stays where it stands. Damage is the piece's base, plus a die, plus 2 under Royal Decree.",
      "King (25 HP, base 1): one step; hits its neighbours. Royal Decree, three times: +2 on your next two hits or heals.",
      "Queen (10, 3): slides; hits within 3 on its lines. Overextend: slide and hit in one turn, at a cost of 2 HP.",
      "Rook (13, 2): slides; hits its neighbours, and 2 away over an empty square. Interpose: takes half of a hit on a friend within 3 in line, by itself.",
      "Bishop (10, 2): slides; hits at 2 or 3 on its diagonals. Consecration: heals a friend within 3 on a diagonal.",
      "Knight (11, 2): jumps, and may hit a neighbour where it lands. Skirmish: hit a neighbour, then step away.",
      "Pawn (7, 1): one ahead, two from its start; hits the two squares slanting ahead. Advance: two ahead, not twice running. On the last rank it becomes a queen.",
      "A position for the third time or 300 moves are a draw, which is worth half a loss to both.",
    ],
    board: [
      "The number and the bar are HP, violet dots are uses of the ability that are left, a ring counts the turns until it may be used again.",
      "Click a piece, then where it goes (dot) or whom it hits (red frame). A click that may mean several moves asks which. Click the king twice for Royal Decree.",
      KEYBOARD,
    ],
  },
  go9: GO,
  go13: GO,
  go19: GO,
  tictactoe: {
    aim: "Get three in a row: across, upright or slanting.",
    rules: ["X begins. In turn you take a square that is free; a full board without three in a row is a draw."],
    board: ["Click a square, or press 1 to 9."],
  },
  yatzy: YATZY,
  yatzy_rich: YATZY,
};

export function rulesOf(game: string): Rules | null {
  return RULES[game] ?? null;
}
