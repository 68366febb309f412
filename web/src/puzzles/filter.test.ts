import { describe, expect, test } from "vitest";
import type { PuzzleIndex } from "../api/puzzles";
import { type Filter, countDecisions, neighbour, readFilter, select, writeFilter } from "./filter";

const RANKS = ["25k", "10k", "1d"];
const INDEX = {
  ranks: RANKS,
  names: ["aa01", "ab02", "bb03", "cc04"],
  rank: [0, 1, 2, 1],
  is_proved: [1, 1, 0, 1],
  tags: ["corner", "snapback"],
  tagged: [[0], [0, 1], [1], []],
} as unknown as PuzzleIndex;
const ALL: Filter = { tags: [], from: 0, to: 2, verification: "", decision: "", search: "" };
const DECIDED = Uint8Array.of(0, 1, 2, 0);

describe("a filter", () => {
  test.each<[Partial<Filter>, number[]]>([
    [{}, [0, 1, 2, 3]],
    [{ tags: ["corner"] }, [0, 1]],
    [{ tags: ["corner", "snapback"] }, [1]],
    [{ tags: ["nothing"] }, []],
    [{ from: 1 }, [1, 2, 3]],
    [{ from: 1, to: 1 }, [1, 3]],
    [{ verification: "engine" }, [2]],
    [{ decision: "open" }, [0, 3]],
    [{ decision: "deleted" }, [2]],
    [{ search: " AB " }, [1]],
    [{ search: "b", decision: "approved", tags: ["snapback"] }, [1]],
  ])("%o", (change, expected) => {
    expect(select(INDEX, DECIDED, { ...ALL, ...change })).toEqual(expected);
  });

  test("is read from the address as it was written", () => {
    const filter: Filter = { tags: ["corner", "a b"], from: 1, to: 1, verification: "proved", decision: "open", search: "x y" };
    expect(readFilter(writeFilter(filter, RANKS), RANKS)).toEqual(filter);
    expect(writeFilter(ALL, RANKS).toString()).toBe("");
  });

  test("takes what it doesn't know for nothing", () => {
    expect(readFilter(new URLSearchParams("from=7z&decision=perhaps&verification=no"), RANKS)).toEqual(ALL);
  });
});

test("the neighbour of a puzzle that is not shown is the next one that is", () => {
  expect(neighbour([1, 3, 5], 3, true)).toBe(5);
  expect(neighbour([1, 3, 5], 4, false)).toBe(3);
  expect(neighbour([1, 3, 5], 5, true)).toBe(5);
  expect(neighbour([1, 3], 4, true)).toBe(3);
  expect(neighbour([3], 1, false)).toBe(3);
  expect(neighbour([], 1, true)).toBe(-1);
});

test("decisions are counted", () => {
  expect(countDecisions(DECIDED)).toEqual([2, 1, 1]);
});
