import { expect, test } from "vitest";
import { peel, readCommit, walkCommits } from "./commit-walk.ts";
import { commitText, forge, objectEntry, oidOf, openForged, treeBytes } from "./test-packs.ts";

const TREE = treeBytes();
const TREE_OID = oidOf("tree", TREE);

/** Commits given as [name, second, parents by name]. */
async function history(...commits: [name: string, second: number, parents: string[]][]) {
  const oids = new Map<string, string>();
  const texts = commits.map(([name, second, parents]) => {
    const text = commitText(
      TREE_OID,
      parents.map((parent) => oids.get(parent) ?? parent),
      second,
      name,
    );
    oids.set(name, oidOf("commit", text));
    return text;
  });
  const store = await openForged(
    forge([objectEntry("tree", TREE), ...texts.map((text) => objectEntry("commit", text))]),
  );
  const walk = async (tip: string) => {
    const seen: string[] = [];
    for await (const { message, oid } of walkCommits(store, oids.get(tip) ?? tip)) {
      expect(oids.get(message.trim())).toBe(oid);
      seen.push(message.trim());
    }
    return seen.join(" ");
  };
  return { store, oids, walk };
}

test("a walk gives each commit once, the newest first, however the branches join", async () => {
  const { walk } = await history(
    ["root", 1, []],
    ["left", 5, ["root"]],
    ["right", 3, ["root"]],
    ["later-right", 6, ["right"]],
    ["merge", 7, ["left", "later-right"]],
  );
  expect(await walk("merge")).toBe("merge later-right left right root");
  expect(await walk("left")).toBe("left root");
});

test("of commits of one second the first parent's side comes first", async () => {
  const { walk } = await history(["a", 5, []], ["b", 5, []], ["c", 5, []], ["merge", 9, ["b", "a", "c"]]);
  expect(await walk("merge")).toBe("merge b a c");
});

test("a history that is cut off ends there, and a tip that is missing gives nothing", async () => {
  const { walk } = await history(["root", 1, ["f".repeat(40)]], ["tip", 2, ["root"]]);
  expect(await walk("tip")).toBe("tip root");
  expect(await walk("e".repeat(40))).toBe("");
});

test("a commit is read by its name", async () => {
  const { store, oids } = await history(["only", 1, []]);
  expect(await readCommit(store, oids.get("only")!)).toMatchObject({ tree: TREE_OID, message: "only\n" });
});

test("a tag leads to its object through up to nine other tags", async () => {
  const entries = [objectEntry("tree", TREE)];
  const oids = [TREE_OID];
  for (let at = 1; at <= 11; at++) {
    const text = `object ${oids.at(-1)}\ntype tag\n\n${at}\n`;
    entries.push(objectEntry("tag", text));
    oids.push(oidOf("tag", text));
  }
  const store = await openForged(forge(entries));
  expect(await peel(store, TREE_OID)).toEqual({ oid: TREE_OID, type: "tree" });
  expect(await peel(store, oids[1]!)).toEqual({ oid: TREE_OID, type: "tree" });
  expect(await peel(store, oids[9]!)).toEqual({ oid: TREE_OID, type: "tree" });
  expect(await peel(store, oids[10]!)).toMatchObject({ type: "tag" });
  expect(await peel(store, oids[11]!)).toMatchObject({ type: "tag" });
});
