import { expect, test } from "vitest";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { versionOf } from "../repository/test-versions.ts";
import { restoreFiles } from "./restore-lfs.ts";
import { addressOf, lfsFile, lfsServerOf } from "./test-lfs-server.ts";

const files = (...contents: string[]) => contents.map(lfsFile);
const snapshotOf = (all: ReturnType<typeof files>) =>
  versionOf({}, Object.fromEntries(all.map(({ oid, bytes }) => [`lfs/${oid}`, bytes])));

async function restore(
  all: ReturnType<typeof files>,
  { server }: ReturnType<typeof lfsServerOf>,
  journal = memoryJournal(),
) {
  const events: RestoreEvent[] = [];
  for await (const event of restoreFiles({ snapshot: await snapshotOf(all), journal }, server))
    events.push(event);
  return { told: events.filter(({ type }) => type !== "progress"), events, journal };
}

const uploading =
  (more: object = {}) =>
  (oid: string) => ({ actions: { upload: addressOf(oid, more) } });
const byOid = (all: ReturnType<typeof files>) => [...all].sort((a, b) => (a.oid < b.oid ? -1 : 1));

test("files that the server lacks are sent and confirmed, and the restore remembers it", async () => {
  const all = byOid(files("red", "green", ""));
  const world = lfsServerOf({
    say: (oid) =>
      oid === all[0]!.oid
        ? { actions: {} }
        : {
            actions: {
              upload: addressOf(oid, { header: { "X-Key": "1" } }),
              verify: addressOf(oid, { header: { "Content-Type": "own/type", Accept: "own/reply" } }),
            },
          },
    give: () => new Response("ok"),
  });
  const { told, events, journal } = await restore(all, world);
  expect(world.asked).toEqual([{ operation: "upload", oids: all.map(({ oid }) => oid) }]);
  const json = "application/vnd.git-lfs+json";
  expect(world.given).toEqual(
    all.slice(1).flatMap(({ oid, bytes, sizeBytes }) => [
      {
        oid,
        method: "PUT",
        headers: { "x-key": "1", "content-type": "application/octet-stream", accept: json },
        body: bytes.toString(),
      },
      {
        oid,
        method: "POST",
        headers: { "content-type": "own/type", accept: "own/reply" },
        body: JSON.stringify({ oid, size: sizeBytes }),
      },
    ]),
  );
  expect(told).toEqual([{ type: "restored", kind: "lfs-object", count: 3 }]);
  expect(events.flatMap((event) => (event.type === "progress" ? [event.progress] : []))).toEqual(
    [0, 1, 2].map((done) => ({ phase: "Sending files of Git LFS", done, total: 3, unit: "items" })),
  );
  world.asked.length = 0;
  const again = await restore(all, world, journal);
  expect([again.told, world.asked]).toEqual([[{ type: "restored", kind: "lfs-object", count: 3 }], []]);
});

test("a version without files asks nothing and remembers nothing", async () => {
  const world = lfsServerOf({});
  const { events, journal } = await restore([], world);
  expect([events, world.asked, journal.entries.size]).toEqual([[], [], 0]);
});

test("a hundred files are asked for at once", async () => {
  const all = files(...Array.from({ length: 101 }, (_, at) => `file ${at}`));
  const world = lfsServerOf({ say: () => ({ actions: {} }) });
  const { events } = await restore(all, world);
  expect(world.asked.map(({ oids }) => oids.length)).toEqual([100, 1]);
  expect(events.at(-2)).toMatchObject({ progress: { done: 100, total: 101 } });
});

test("an address that has ended is asked for again before the file is sent", async () => {
  const [file] = files("red");
  let turn = 0;
  const world = lfsServerOf({
    say: (oid) => uploading({ expires_in: ++turn === 1 ? 1 : 3_600, header: { turn: `${turn}` } })(oid),
    give: () => new Response("ok"),
  });
  const { told } = await restore([file!], world);
  expect(world.asked).toEqual([
    { operation: "upload", oids: [file!.oid] },
    { operation: "upload", oids: [file!.oid] },
  ]);
  expect(world.given.map(({ headers }) => headers.turn)).toEqual(["2"]);
  expect(told).toEqual([{ type: "restored", kind: "lfs-object", count: 1 }]);
});

test("refused files are told with the server's words, ten by name, and tried again by a later attempt", async () => {
  const all = byOid(files(...Array.from({ length: 12 }, (_, at) => `file ${at}`)));
  const refused = new Set(all.slice(0, 11).map(({ oid }) => oid));
  const world = lfsServerOf({
    say: (oid) => (refused.has(oid) ? { error: { code: 422, message: "Too odd" } } : uploading()(oid)),
    give: () => new Response("ok"),
  });
  const { told, journal } = await restore(all, world);
  const names = all.slice(0, 10).map(({ oid }) => oid);
  expect(told).toEqual([
    { type: "restored", kind: "lfs-object", count: 1 },
    {
      type: "missing",
      what: `11 files of Git LFS (${names.join(", ")} and 1 more)`,
      reason: "Forge does not take it (422). It said: Too odd",
    },
  ]);
  expect(journal.entries.size).toBe(0);
  const alone = await restore(all.slice(0, 1), world);
  expect(alone.told).toEqual([
    {
      type: "missing",
      what: `1 file of Git LFS (${names[0]})`,
      reason: "Forge does not take it (422). It said: Too odd",
    },
  ]);
  const ten = await restore(all.slice(0, 10), world);
  expect(ten.told).toMatchObject([{ what: `10 files of Git LFS (${names.join(", ")})` }]);
});

test("a file or a whole batch that is refused for good is told; anything else fails the attempt", async () => {
  const all = byOid(files("red", "green"));
  const full = lfsServerOf({ say: uploading(), give: () => new Response("", { status: 507 }) });
  const used = "The owner's Git LFS storage at Forge is used up (507).";
  expect((await restore(all, full)).told).toEqual([
    { type: "missing", what: expect.stringMatching(/^2 files of Git LFS/), reason: used },
  ]);
  const { server } = full;
  const batch = (status: number) => ({
    ...full,
    server: { ...server, remote: { ...server.remote, fetch: async () => new Response("", { status }) } },
  });
  expect((await restore(all, batch(501))).told).toEqual([
    {
      type: "missing",
      what: `2 files of Git LFS (${all.map(({ oid }) => oid).join(", ")})`,
      reason: "Forge does not offer Git LFS for this repository (501).",
    },
  ]);
  await expect(restore(all, batch(503))).rejects.toMatchObject({ kind: "unavailable" });
  const busy = lfsServerOf({ say: uploading(), give: () => new Response("", { status: 503 }) });
  await expect(restore(all, busy)).rejects.toMatchObject({ kind: "unavailable" });
});

test("bytes that cannot be read fail the attempt with the error of the version", async () => {
  const all = files("red");
  const snapshot = await snapshotOf(all);
  const broken = {
    ...snapshot,
    read: () =>
      (async function* () {
        yield Buffer.from("r");
        throw new Error("the vault does not open");
      })(),
  };
  const { server } = lfsServerOf({ say: uploading(), give: () => new Response("ok") });
  const run = async () => {
    for await (const _ of restoreFiles({ snapshot: broken, journal: memoryJournal() }, server));
  };
  await expect(run()).rejects.toThrow("the vault does not open");
});
