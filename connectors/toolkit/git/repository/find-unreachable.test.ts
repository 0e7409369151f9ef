import { expect, test } from "vitest";
import { runVerify, WHOLE_CHECK } from "#tests/conformance/memory-snapshot.ts";
import { blob, commitText, forge, objectEntry, oidOf, treeBytes } from "../test-packs.ts";
import { findUnreachable, type SearchLimits } from "./find-unreachable.ts";
import { findChain, readRefs } from "./git-chain.ts";
import { commitPack, repositoryVersion } from "./test-versions.ts";
import { verifyRepositories } from "./verify-repositories.ts";

const one = commitPack("one");
const two = commitPack("two", [one.oid]);
/** A commit beside `two`, which replaced it. */
const other = commitPack("other", [one.oid]);
const packOf = ({ pack, oid }: { pack: Uint8Array; oid: string }) => ({ pack, tips: [oid] });
const refTo = (oid: string, name = "refs/heads/main") => [{ name, oid }];

async function search(
  packs: Parameters<typeof repositoryVersion>[0],
  refs: Parameters<typeof repositoryVersion>[1],
  limits?: SearchLimits,
) {
  const snapshot = await repositoryVersion(packs, refs);
  const check = { platformName: "Forge", prefixes: ["git/"] };
  const { problems } = await runVerify(snapshot, verifyRepositories(snapshot, WHOLE_CHECK, check));
  expect(problems).toEqual([]);
  const chain = (await findChain(snapshot, "git/"))!;
  return findUnreachable(snapshot, { refs: await readRefs(snapshot, "git/"), chain }, limits);
}

test("while the refs lead to everything that was fetched, nothing is unreachable", async () => {
  expect(await search([packOf(one), packOf(two)], refTo(two.oid))).toBeNull();
  // A branch that was deleted after it was merged.
  const merged = commitPack("merged", [two.oid, other.oid]);
  expect(await search([one, two, other, merged].map(packOf), refTo(merged.oid))).toBeNull();
});

test("commits, folders and files of rewritten history are counted, with the bytes of their contents", async () => {
  const tree = treeBytes(["100644", "file", oidOf("blob", "two")]);
  const bytes =
    Buffer.byteLength("two") +
    tree.length +
    Buffer.byteLength(commitText(oidOf("tree", tree), [one.oid], 1, "two"));
  expect(await search([one, two, other].map(packOf), refTo(other.oid))).toEqual({ objects: 3, bytes });
});

test("a purged file is found although all other files stayed", async () => {
  const secret = "password".repeat(100);
  const entries = (withSecret: boolean) =>
    treeBytes(
      ["100644", "kept", oidOf("blob", "kept")],
      ...(withSecret ? [["100644", "secret", oidOf("blob", secret)] as [string, string, string]] : []),
    );
  const commitOf = (withSecret: boolean) => commitText(oidOf("tree", entries(withSecret)), [], 1, "m");
  const first = forge([
    objectEntry("commit", commitOf(true)),
    objectEntry("tree", entries(true)),
    blob("kept"),
    blob(secret),
  ]);
  const second = forge([objectEntry("commit", commitOf(false)), objectEntry("tree", entries(false))]);
  const [before, after] = [true, false].map((withSecret) => oidOf("commit", commitOf(withSecret)));
  const packs = [
    { pack: first, tips: [before!] },
    { pack: second, tips: [after!] },
  ];
  const found = await search(packs, refTo(after!));
  expect(found).toEqual({
    objects: 3,
    bytes: secret.length + entries(true).length + commitOf(true).length,
  });
  // A tag that still leads to it: nothing is unreachable.
  expect(await search(packs, [...refTo(after!), ...refTo(before!, "refs/tags/old")])).toBeNull();
});

test("in a large repository only the commits are counted, and a longer history says nothing", async () => {
  const packs = [one, two, other].map(packOf);
  expect(await search(packs, refTo(other.oid), { objects: 8, commits: 9 })).toEqual({
    objects: 1,
    bytes: null,
  });
  expect(await search(packs, refTo(other.oid), { objects: 9, commits: 1 })).toBeNull();
});

test("tags, folders and files that refs name themselves are reached", async () => {
  const tag = `object ${one.oid}\ntype commit\ntag v1\ntagger A <a@b> 1 +0000\n\nm\n`;
  const folder = treeBytes(["100644", "deep", oidOf("blob", "deep")]);
  const more = forge([objectEntry("tag", tag), objectEntry("tree", folder), blob("deep"), blob("alone")]);
  const names = [oidOf("tag", tag), oidOf("tree", folder), oidOf("blob", "alone")];
  const refs = names.map((oid, at) => ({ name: `refs/tags/${at}`, oid }));
  const packs = [packOf(one), { pack: more, tips: names }, packOf(two)];
  const found = await search(packs, refs);
  expect(found).toMatchObject({ objects: 3 });
  expect(await search(packs, refs.slice(1))).toMatchObject({ objects: 7 });
});
