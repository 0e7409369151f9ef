import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { createGist } from "./simulator/gists.ts";
import type { Gist } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

let world: GithubTestWorld;
let gist: Gist;
beforeAll(async () => {
  world = await openGithubWorld();
  const files = { "deploy.sh": "#!/bin/sh\nexit 0\n", "notes.md": "# Notes\n" };
  const order = { owner: world.accountName, description: "How we deploy", isPublic: false, files };
  gist = await createGist(world.simulator.world, order);
  const times = { createdAt: gist.createdAt, updatedAt: gist.createdAt };
  gist.comments.push({ id: 77, author: world.accountName, body: "Works.", ...times });
});
afterAll(() => world.stop());

const session = () => world.session();
const itemOf = () => connector.getItem(session(), { kind: "gist", externalId: gist.id, fullName: "" });

test("the account's gists are listed under the name of their first file and found by a part of it", async () => {
  const places = await connector.listPlaces(session(), { page: 0, perPage: 10 });
  const place = places.items[0] ?? null;
  const all = await connector.listItems(session(), {
    kind: "gist",
    place,
    name: null,
    page: 0,
    perPage: 100,
  });
  expect(all.items.find(({ externalId }) => externalId === gist.id)).toMatchObject({
    ...{
      kind: "gist",
      name: "deploy.sh",
      description: "How we deploy",
      details: { record: { public: false } },
    },
  });
  const found = await connector.listItems(session(), {
    kind: "gist",
    place,
    name: "PLOY.S",
    page: 0,
    perPage: 5,
  });
  expect(found.items.map(({ externalId }) => externalId)).toContain(gist.id);
  const none = await connector.listItems(session(), {
    kind: "gist",
    place,
    name: "zzz",
    page: 0,
    perPage: 5,
  });
  expect(none).toEqual({ items: [], total: 0, hasMore: false });
});

test("[A-004] a version of a gist has its git data, record and comments, and a second backup writes nothing", async () => {
  const item = await itemOf();
  const first = await takeSnapshot(connector.backUp(session(), { item, previous: null, cursor: null }));
  const kinds = [...first.entries.values()].map(({ info }) => info.kind);
  expect(kinds).toEqual(
    expect.arrayContaining(["gist", "git-pack", "git-refs", "git-chain", "gist-comment"]),
  );
  expect(first.skipped).toEqual([]);
  expect(await first.readRecord("gist.json")).toMatchObject({
    ...{ id: gist.id, public: false, description: "How we deploy" },
    files: { "deploy.sh": { filename: "deploy.sh" }, "notes.md": {} },
  });
  expect(await first.readRecord("comments/000000000077.json")).toMatchObject({ body: "Works." });
  const second = await takeSnapshot(
    connector.backUp(session(), { item, previous: first, cursor: null }),
    first,
  );
  expect(second.newStreams).toEqual([]);
  const hashes = (of: typeof first) =>
    [...of.entries.values()].map(({ info }) => `${info.path} ${info.hash}`).sort();
  expect(hashes(second)).toEqual(hashes(first));
  const paths: string[] = [];
  for await (const file of connector.exportFiles(first, item)) paths.push(file.path);
  expect(paths).toEqual(
    expect.arrayContaining(["README.txt", "metadata/gist.json", "metadata/comments/000000000077.json"]),
  );
});

test("our token is never sent to a gist on another host", async () => {
  const item = await itemOf();
  const details = { ...(item.details as object), gitUrl: "https://elsewhere.example/x.git" };
  const order = { item: { ...item, details }, previous: null, cursor: null };
  await expect(takeSnapshot(connector.backUp(session(), order))).rejects.toMatchObject({ kind: "malformed" });
});

test("files attached to a gist's comments are backed up and in the ZIP, and a restore reports them", async () => {
  const { simulator } = world;
  const shop = await world.makeRepository("window", { visibility: "public" });
  const { fullName } = world.reference(shop);
  const attach = async (name: string, text: string) => {
    const body = JSON.stringify({ name, contentType: "text/plain", base64: btoa(text) });
    const url = `${simulator.url}/__sim/github/repos/${fullName}/attachments`;
    return ((await (await fetch(url, { method: "POST", body })).json()) as { url: string }).url;
  };
  const times = { createdAt: gist.createdAt, updatedAt: gist.createdAt };
  const texts = [
    `${await attach("log.txt", "It works.")} and ${await attach("why.txt", "Because.")}`,
    `${await attach("later.txt", "Later.")} ${simulator.webUrl}/user-attachments/files/999999999/gone.txt`,
  ];
  const made = await createGist(simulator.world, {
    ...{ owner: world.accountName, description: "With files", isPublic: false, files: { "a.md": "a" } },
  });
  for (const [index, body] of texts.entries())
    made.comments.push({ id: 90 + index, author: world.accountName, body, ...times });
  const reference = { kind: "gist", externalId: made.id, fullName: "" };
  const item = await connector.getItem(session(), reference);
  const backUp = (previous: MemorySnapshot | null, by = session()) =>
    takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
  const first = await backUp(null);
  const attached = [...first.entries.values()].filter(({ info }) => info.kind === "attachment");
  const told = attached.map(({ info, bytes }) => `${info.title}: ${new TextDecoder().decode(bytes)}`);
  expect(told.sort()).toEqual(["later.txt: Later.", "log.txt: It works.", "why.txt: Because."]);
  expect(first.skipped.map(({ kind }) => kind)).toEqual(["attachment"]);
  const by = session();
  const second = await backUp(first, by);
  expect(second.newStreams).toEqual([]);
  expect(by.requests.filter(({ url }) => url.includes("/stored/"))).toEqual([]);
  const paths: string[] = [];
  for await (const file of connector.exportFiles(first, item)) paths.push(file.path);
  expect(paths.filter((path) => path.startsWith("attachments/"))).toHaveLength(3);
  const target = asNew("copy");
  const { events } = await runRestore(connector.restore(session(), first, target, memoryJournal()));
  expect(events).toContainEqual({ type: "restored", kind: "comment", count: 2 });
  expect(events).toContainEqual(
    expect.objectContaining({ type: "impossible", what: "3 files attached to texts" }),
  );
});
