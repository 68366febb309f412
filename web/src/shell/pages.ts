/** The pages of the app, in the order of the menu; the first one is what `/` shows. */

export const PAGES = [{ name: "puzzles", title: "Puzzles" }] as const;
