import { expect, test } from "vitest";
import { botTitle, gameTitle, inOrder, resultWord, seatColour, seatTitle, seatWithName } from "./names";

test("games that people ask for first come first, others by name", () => {
  const found = inOrder(["tictactoe", "go9", "exchange", "abc", "yatzy"].map((name) => ({ name })));
  expect(found.map(({ name }) => name)).toEqual(["yatzy", "exchange", "go9", "abc", "tictactoe"]);
});

test("a game nobody has a title for goes by its name", () => {
  expect([gameTitle("nim"), gameTitle("go9")]).toEqual(["nim", "Go 9×9"]);
  expect([seatTitle("go9", 0), seatTitle("nim", 1), seatTitle("nim", 4)]).toEqual(["Black", "player 2", "player 5"]);
});

test("marks have the colours of the pieces", () => {
  expect([seatColour("go9", 0), seatColour("exchange", 0), seatColour("connect_four", 1)]).toEqual(["black", "white", "yellow"]);
  expect([seatColour("yatzy", 0), seatColour("yatzy", 1), seatColour("tictactoe", 0)]).toEqual(["hollow", "full", "hollow"]);
});

test("whoever sat somewhere is named without hash and file", () => {
  expect(botTitle("best.pt@0123abcd")).toBe("best");
  expect(seatWithName("go9", 1, "best.pt@0123abcd")).toBe("White (best)");
  expect(seatWithName("yatzy", 0, "")).toBe("player 1");
});

test("an outcome is a word", () => {
  expect([2, 0, -0.5].map(resultWord)).toEqual(["won", "drawn", "lost"]);
});
