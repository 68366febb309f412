/** What the server says of a state, by kind of board; and what a board is given. */

export interface ConnectFourView {
  readonly kind: "connect_four";
  readonly standing: string;
  readonly cells: string; // 42 of "x", "o" and ".", by rows from the top
  readonly won: readonly number[];
}

export interface TicTacToeView {
  readonly kind: "tictactoe";
  readonly standing: string;
  readonly cells: string; // 9 of "x", "o" and ".", by rows from the top
  readonly won: readonly number[];
}

export interface YatzyView {
  readonly kind: "yatzy";
  readonly standing: string;
  readonly categories: readonly string[];
  readonly dice: readonly number[];
  readonly rerolls: number;
  readonly worth: readonly number[];
  readonly open: readonly (readonly boolean[])[];
  readonly upper: readonly number[];
  readonly total: readonly number[];
}

/** Square, kind, side, HP, most HP, cooldown, charges, most charges, whether it was a pawn. */
export type Piece = readonly [number, number, number, number, number, number, number, number, boolean];

export interface ExchangeView {
  readonly kind: "exchange";
  readonly standing: string;
  readonly pieces: readonly Piece[];
}

export interface GoView {
  readonly kind: "go";
  readonly standing: string;
  readonly size: number;
  readonly black: readonly number[];
  readonly white: readonly number[];
  readonly last: number | null;
  readonly prisoners: readonly number[];
}

export interface PictureView {
  readonly kind: "picture";
  readonly standing: string;
  readonly svg: string | null;
  readonly text: string;
}

export type BoardView = ConnectFourView | TicTacToeView | YatzyView | ExchangeView | GoView | PictureView;

/** An action: its number, its name, what it is listed under. */
export type Legal = readonly [number, string, string];

/** Ply, seat, category, points. */
export type Mark = readonly [number, number, number, number];

export interface History {
  readonly marks?: readonly Mark[];
  readonly outlines?: readonly string[];
}

/** What every board gets; without `onPlay` it is only looked at. */
export interface BoardProps<View extends BoardView = BoardView> {
  readonly view: View;
  readonly history: History;
  readonly ply: number;
  readonly last: { readonly action: number; readonly seat: number } | null;
  readonly seat: number; // from which side it is seen
  readonly names: readonly string[];
  readonly toMove: number | null;
  readonly legal: readonly Legal[];
  readonly isTable?: boolean; // somebody plays here, though it may not be their turn
  readonly onPlay?: (action: number) => void;
}
