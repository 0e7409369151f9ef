import { expect, test } from "vitest";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import type { ViewerCover } from "./viewer/data.ts";
import { boardView, threadView } from "./viewer/test-views.ts";
import { type ZipFacts, zipFiles } from "./zip-files.ts";

const facts: ZipFacts = {
  item: { name: "Quay", fullName: "Harbour/Quay", kind: "board" },
  snapshot: { takenAt: 1, verifiedAt: 2, verifyState: "verified", skippedCount: 0, manifestId: "abc" },
  skipped: [],
};

/** The files of a version with these views, by path. */
async function filesOf(views: readonly View[] | null, about = facts): Promise<Map<string, string>> {
  const connector = {
    descriptor: { label: "Waterfront", itemKinds: [{ id: "board", one: "board", many: "boards" }] },
    logo: "M0 0h24v24H0z",
    entryKinds: { card: { one: "card", many: "cards" }, note: { one: "note", many: "notes" } },
    ...(views === null ? {} : { views: async () => views }),
    async *exportFiles() {
      yield { path: "README.txt", source: "bytes", bytes: utf8("read me") };
      yield { path: "attachments/scan.txt", source: "entry", entry: "files/a b" };
      yield { path: "metadata/card.json", source: "entry", entry: "cards/1" };
    },
  } as unknown as PlatformConnector;
  const version = { counts: () => ({ card: 1, secret: 4 }) } as unknown as SnapshotView;
  const found = new Map<string, string>();
  for await (const file of zipFiles(connector, version, about))
    found.set(file.path, file.source === "bytes" ? fromUtf8(file.bytes) : "");
  return found;
}

const coverOf = (files: Map<string, string>): ViewerCover =>
  JSON.parse(/id="cover">(.*?)<\/script>/s.exec(files.get("index.html") ?? "")?.[1] ?? "null");

test("index.html follows the README, and its data files come last", async () => {
  const files = await filesOf([boardView(1)]);
  expect([...files.keys()]).toEqual([
    "README.txt",
    "index.html",
    "attachments/scan.txt",
    "metadata/card.json",
    "viewer/0/1.js",
    "viewer/0/index.js",
  ]);
  expect(files.get("viewer/0/1.js")).toContain("attachments/scan.txt");
  expect(coverOf(files)).toEqual({
    title: "Quay",
    platform: "Waterfront",
    logo: "M0 0h24v24H0z",
    kind: "board",
    place: "Harbour",
    takenAt: 1,
    verifiedAt: 2,
    inside: ["1 card"],
    checksum: "abc",
    views: [{ kind: "board", label: "Board" }],
  });
  const counted: View = { ...threadView(["Late"]), count: 1_204 };
  expect(coverOf(await filesOf([boardView(1), counted])).views.map(({ count }) => count)).toEqual([
    undefined,
    1_204,
  ]);
});

test("the cover claims only a passed check and lists what was left out", async () => {
  const snapshot = { ...facts.snapshot, verifyState: "intact", skippedCount: 1 };
  const skipped = [{ path: "notes/", kind: "note", reason: "No rights." }];
  const cover = coverOf(await filesOf([boardView(1)], { ...facts, snapshot, skipped }));
  expect(cover.verifiedAt).toBeUndefined();
  expect(cover.leftOut).toEqual({
    kinds: ["notes"],
    things: [{ path: "notes/", reason: "No rights." }],
    count: 1,
  });
});

test("a platform without views has no page", async () => {
  for (const views of [null, []])
    expect([...(await filesOf(views)).keys()]).toEqual([
      "README.txt",
      "attachments/scan.txt",
      "metadata/card.json",
    ]);
});
