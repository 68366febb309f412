/** The colours of a Go board, by day and by night. */

export interface Palette {
  readonly name: "light" | "dark";
  readonly wood: readonly [string, string];
  readonly grain: string;
  readonly line: string;
  readonly label: string;
  readonly outside: string; // of coordinates where the wood has faded
  readonly shadow: string;
}

export const LIGHT: Palette = {
  name: "light",
  wood: ["#efcf96", "#e3ba78"],
  grain: "rgba(128, 82, 28, 0.075)",
  line: "#4a3820",
  label: "#6d5530",
  outside: "#8a7550",
  shadow: "rgba(40, 24, 4, 0.42)",
};

export const DARK: Palette = {
  name: "dark",
  wood: ["#b98f56", "#a27a45"],
  grain: "rgba(58, 34, 8, 0.13)",
  line: "#2b2012",
  label: "#3d2e19",
  outside: "#a8977c",
  shadow: "rgba(12, 6, 0, 0.55)",
};

export const SIGNS = { right: "#2f8f57", wrong: "#c8402f", last: "#2d7dd2", cursor: "#1f5fc4" } as const;
