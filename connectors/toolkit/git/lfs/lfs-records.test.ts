import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { emptyPack } from "../object-format.ts";
import { emptyChain } from "../repository/git-chain.ts";
import { chainPack, versionOf } from "../repository/test-versions.ts";
import { countLfsFiles, lfsFiles } from "./lfs-files.ts";
import {
  knownPointers,
  pointerLines,
  pointerList,
  pointerListPath,
  provedPointers,
  readPointers,
  storedObjects,
} from "./lfs-records.ts";

const PACK = "git/packs/0001-0001.pack";
const OTHER = "git/packs/0001-0002.pack";
const pointer = (digit: string) => ({ oid: digit.repeat(64), sizeBytes: Number.parseInt(digit, 16) });
const [A, B, C] = [pointer("a"), pointer("b"), pointer("c")];

async function version(list: Json | null, found: string | null = null) {
  const snapshot = await versionOf(list === null ? {} : { "git/lfs/0001-0001.json": list }, {
    [PACK]: Buffer.from("pack"),
    [OTHER]: Buffer.from("other"),
  });
  const hash = (await snapshot.find(PACK))!.hash;
  if (found !== null) snapshot.companions.set(`${hash}/lfs`, Buffer.from(found));
  return snapshot;
}

test("the list of a pack stands beside it, sorted, and names the files left for later only if there are some", () => {
  expect(pointerListPath("git/packs/0001-0002.pack")).toBe("git/lfs/0001-0002.json");
  expect(pointerListPath("packs/deep/packs/a.pack")).toBe("packs/deep/lfs/a.json");
  expect(pointerList([C, A, B], new Set())).toEqual({ pointers: [A, B, C] });
  const left = new Set([C.oid, A.oid, "f".repeat(64)]);
  expect(pointerList([C, B, A], left)).toEqual({ pointers: [A, B, C], left: [A.oid, C.oid] });
});

test("pointers found by a check are written a line each, a thousand at a time, and read back", async () => {
  const many = Array.from({ length: 2_001 }, (_, at) => ({
    oid: at.toString(16).padStart(64, "0"),
    sizeBytes: at,
  }));
  const pieces = [...pointerLines(many)].map((piece) => Buffer.from(piece).toString());
  expect(pieces.map((piece) => piece.split("\n").length - 1)).toEqual([1_000, 1_000, 1]);
  expect(pieces[0]?.split("\n")[7]).toBe(`${"7".padStart(64, "0")} 7`);
  // The vault cuts where it likes.
  const snapshot = await version(null, pieces.join(""));
  const cut = {
    ...snapshot,
    async *readCompanion() {
      const text = Buffer.from(pieces.join(""));
      for (let at = 0; at < text.length; at += 1_013) yield text.subarray(at, at + 1_013);
    },
  };
  expect(await provedPointers(cut, PACK)).toEqual(many);
  expect([...pointerLines([])]).toEqual([]);
});

test("lines that are no pointers are passed over, and a pack without a check has none", async () => {
  const snapshot = await version(null, `nonsense 5\n${A.oid} 10\n${A.oid}0 3\n\n${B.oid} 11\n`);
  expect(await provedPointers(snapshot, PACK)).toEqual([A, B]);
  expect(await provedPointers(snapshot, OTHER)).toBeNull();
});

test("pointers are asked for if a backup listed them, and fresh if they were left or a check found them", async () => {
  const list = { pointers: [A, B], left: [B.oid] };
  const snapshot = await version(list, `${A.oid} 10\n${C.oid} 12\n`);
  expect(await knownPointers(snapshot, PACK)).toEqual({ asked: [A], fresh: [B, C] });
  expect(await knownPointers(await version({ pointers: [A] }), PACK)).toEqual({ asked: [A], fresh: [] });
  expect(await knownPointers(snapshot, OTHER)).toEqual({ asked: [], fresh: [] });
  for (const damaged of [
    { pointers: [{ oid: "x", sizeBytes: 1 }] },
    { pointers: [{ ...A, sizeBytes: -1 }] },
    5,
  ])
    expect(await knownPointers(await version(damaged), PACK)).toEqual({ asked: [], fresh: [] });
  const bytes = emptyPack("sha1");
  const chain = { ...emptyChain(1, "sha1"), packs: [PACK, OTHER].map((path) => chainPack(path, bytes, [])) };
  expect([...(await readPointers(snapshot, chain)).values()]).toEqual([A, B, C]);
});

test("the files of a version are counted and lie where git-lfs looks for them", async () => {
  const files = { [`lfs/${A.oid}`]: Buffer.from("1"), [`lfs/${B.oid}`]: Buffer.from("2") };
  const snapshot = await versionOf({ "lfs.json": 1 }, files);
  expect([...(await storedObjects(snapshot))]).toEqual([A.oid, B.oid]);
  expect(await countLfsFiles(snapshot)).toBe(2);
  const placed = [];
  for await (const file of lfsFiles(snapshot, "x.git/")) placed.push(file);
  expect(placed[1]).toEqual({
    path: `x.git/lfs/objects/bb/bb/${B.oid}`,
    source: "entry",
    entry: `lfs/${B.oid}`,
  });
  const named = `0123${"4".repeat(60)}`;
  const odd = await versionOf({}, { [`lfs/${named}`]: Buffer.from("1") });
  for await (const { path } of lfsFiles(odd, "")) expect(path).toBe(`lfs/objects/01/23/${named}`);
});
