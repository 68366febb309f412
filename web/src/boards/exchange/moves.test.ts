import { expect, test } from "vitest";
import type { Legal } from "../view";
import { PASS, movesFrom, movesTo, readMove, squareName, words } from "./moves";

const at = (name: string) => "abcdefgh".indexOf(name[0]!) + 8 * (Number(name[1]) - 1);
const move = (start: string, end: string, target: string, kind: number): Legal => [
  (at(start) << 15) | (at(end) << 9) | (at(target) << 3) | kind,
  `${start}${end}`,
  "",
];

test("a number says from where to where, at whom and how", () => {
  expect(readMove(move("b1", "c3", "c4", 3))).toMatchObject({ start: 1, end: 18, target: 26, kind: 3 });
  expect(squareName(63)).toBe("h8");
});

test("a click on a square may mean more than one move", () => {
  const legal = [move("b1", "c3", "c3", 0), move("b1", "c3", "c4", 3), move("b1", "a3", "a3", 0), [PASS, "--", "pass"] as Legal];
  const own = movesFrom(legal, at("b1"));
  expect(own).toHaveLength(3);
  expect(movesTo(own, at("c3")).map(words)).toEqual(["move to c3", "jump to c3, hit c4"]);
  expect(movesTo(own, at("c4")).map(words)).toEqual(["jump to c3, hit c4"]);
  expect(movesTo(own, at("b1"))).toEqual([]);
});

test("a king proclaims by a second click on itself", () => {
  const own = movesFrom([move("e1", "e1", "e1", 7), move("e1", "e2", "e2", 0)], at("e1"));
  expect(movesTo(own, at("e1")).map(words)).toEqual(["Royal Decree"]);
});
