import { expect, test } from "vitest";
import { gameTitle, inOrder, resultWord, seatTitle } from "./names";

test("games that people ask for first come first, others by name", () => {
  const found = inOrder(["tictactoe", "go9", "exchange", "abc", "yatzy"].map((name) => ({ name })));
  expect(found.map(({ name }) => name)).toEqual(["yatzy", "exchange", "go9", "abc", "tictactoe"]);
});

test("a game nobody has a title for goes by its name", () => {
  expect([gameTitle("nim"), gameTitle("go9")]).toEqual(["nim", "Go 9×9"]);
  expect([seatTitle("go9", 0), seatTitle("nim", 1), seatTitle("nim", 4)]).toEqual(["Black", "second", "seat 4"]);
});

test("an outcome is a word", () => {
  expect([2, 0, -0.5].map(resultWord)).toEqual(["won", "drawn", "lost"]);
});
