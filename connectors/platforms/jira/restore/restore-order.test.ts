import { expect, test } from "vitest";
import { endOf } from "./restore-links.ts";
import { rankMoves } from "./restore-order.ts";
import { typeAmong } from "./target-frame.ts";
import { wantedKey } from "./target-project.ts";

test("issues that were created in their order are not ranked again", () => {
  const ranks = ["a", "b", "c"].map((rank) => ({ rank, key: rank.toUpperCase() }));
  expect(rankMoves(ranks)).toEqual([]);
  expect(rankMoves([])).toEqual([]);
});

test("issues are ranked behind each other, at most 50 at once", () => {
  const ranks = Array.from({ length: 120 }, (_, index) => ({
    rank: String(999 - index),
    key: `K-${index}`,
  }));
  const moves = rankMoves(ranks);
  expect(moves.map(({ keys }) => keys.length)).toEqual([50, 50, 19]);
  expect(moves.map(({ after }) => after)).toEqual(["K-119", "K-69", "K-19"]);
  expect(moves.flatMap(({ keys }) => keys)).toEqual(
    ranks
      .map(({ key }) => key)
      .reverse()
      .slice(1),
  );
});

test("a link leads to the restored issue, to one outside, and never to the original project from another", () => {
  const names = { projectKey: "OPS", targetKey: "NEW", newKey: null };
  expect(endOf("OPS-1", { ...names, newKey: "NEW-4" })).toEqual({ type: "restored", key: "NEW-4" });
  expect(endOf("WEB-1", names)).toEqual({ type: "outside", key: "WEB-1" });
  expect(endOf("OPS-1", names)).toEqual({ type: "original" });
  expect(endOf("OPS-1", { ...names, targetKey: "OPS" })).toEqual({ type: "outside", key: "OPS-1" });
});

const type = (name: string, hierarchyLevel: number) => ({
  id: name,
  name,
  subtask: hierarchyLevel < 0,
  hierarchyLevel,
});
const TYPES = [type("Epic", 1), type("Task", 0), type("Bug", 0), type("Sub-task", -1)];

test("a work type is found by name on its level, else the first of the level; a sub-task needs its parent", () => {
  const found = (name: string, level: number, hasParent = true) => {
    const answer = typeAmong(TYPES, type(name, level), hasParent);
    return [answer?.type.name, answer?.isOther];
  };
  expect(found("bug", 0)).toEqual(["Bug", false]);
  expect(found("Story", 0)).toEqual(["Task", true]);
  expect(found("Subtask", -1)).toEqual(["Sub-task", true]);
  expect(found("Sub-task", -1, false)).toEqual(["Task", true]);
  expect(found("Initiative", 2)).toEqual(["Task", true]);
  expect(typeAmong([], type("Bug", 0), true)).toBeNull();
});

test("the key of a new project is the chosen one, else that of the original with an R", () => {
  expect(wantedKey(" fleet2 ", { key: "OPS" })).toBe("FLEET2");
  expect(wantedKey("", { key: "OPS" })).toBe("OPSR");
  expect(wantedKey("1", { key: "LONGPROJEC" })).toBe("LONGPROJER");
});
