import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { LfsPointer } from "../object-facts.ts";
import { emptyChain, type GitChain } from "../repository/git-chain.ts";
import { versionOf } from "../repository/test-versions.ts";
import { beginFiles, fetchFiles, type LfsState, notePointers, type PendingFiles } from "./back-up-lfs.ts";
import { addressOf, lfsFile, lfsServerOf } from "./test-lfs-server.ts";

const [A, B, C] = ["red", "green", "blue"].map(lfsFile) as [
  ReturnType<typeof lfsFile>,
  ReturnType<typeof lfsFile>,
  ReturnType<typeof lfsFile>,
];
const pendingOf = (files: readonly LfsPointer[], left = 0): PendingFiles => ({
  files: files.map(({ oid, sizeBytes }) => [oid, sizeBytes]),
  left,
});

/** Fetches files and returns the version's new part and the progress told. */
async function fetchAll(server: ReturnType<typeof lfsServerOf>["server"], pending: PendingFiles) {
  const events: BackupEvent[] = [];
  async function* seen() {
    const cursorOf = (left: PendingFiles): Json => structuredClone(left.files.map(([oid]) => oid));
    for await (const event of fetchFiles({ server, pending, cursorOf })) {
      events.push(event);
      yield event;
    }
  }
  const snapshot = await takeSnapshot(seen());
  return { snapshot, events, reasons: snapshot.skipped.map(({ reason }) => reason) };
}

test("pending files are fetched, told one by one, and leave the list as they arrive", async () => {
  const content = new Map([A, B].map(({ oid, bytes }) => [oid, bytes]));
  const { server, asked, given } = lfsServerOf({ give: (oid) => new Response(content.get(oid)) });
  const pending = pendingOf([A, B]);
  const { snapshot, events } = await fetchAll(server, pending);
  expect(asked).toEqual([{ operation: "download", oids: [A.oid, B.oid] }]);
  expect(given.map(({ oid, method }) => `${method} ${oid}`)).toEqual([`GET ${A.oid}`, `GET ${B.oid}`]);
  for (const { oid, bytes } of [A, B]) {
    const entry = snapshot.entries.get(`lfs/${oid}`)!;
    expect([Buffer.from(entry.bytes).equals(bytes), entry.info.kind]).toEqual([true, "lfs-object"]);
  }
  const progress = { phase: "Receiving files of Git LFS", total: 2, unit: "items" };
  expect(snapshot.progress).toEqual([0, 1, 2].map((done) => ({ ...progress, done })));
  expect(pending.files).toEqual([]);
  expect(events.filter(({ type }) => type === "checkpoint" || type === "skipped")).toEqual([]);
  const quiet = lfsServerOf({});
  expect((await fetchAll(quiet.server, pendingOf([], 3))).events).toEqual([]);
  expect(quiet.asked).toEqual([]);
});

test("a hundred files are asked for at once, and each twenty a checkpoint holds the ones that are left", async () => {
  const files = Array.from({ length: 130 }, (_, at) => lfsFile(`file ${at}`));
  const content = new Map(files.map(({ oid, bytes }) => [oid, bytes]));
  const { server, asked } = lfsServerOf({ give: (oid) => new Response(content.get(oid)) });
  const { snapshot } = await fetchAll(server, pendingOf(files));
  expect(asked.map(({ oids }) => oids.length)).toEqual([100, 30]);
  expect(snapshot.checkpoints.map((left) => (left as Json[]).length)).toEqual([110, 90, 70, 50, 30, 10]);
  expect((snapshot.checkpoints[5] as Json[])[0]).toBe(files[120]!.oid);
});

test("a large file is followed by a checkpoint at once", async () => {
  const quarter = 256 * 1024 ** 2;
  const { server } = lfsServerOf({ say: () => null });
  const sizes = [quarter - 1, 1, quarter, 5].map((sizeBytes, at) => ({ oid: `${at}`.repeat(64), sizeBytes }));
  const { snapshot } = await fetchAll(server, pendingOf(sizes));
  expect(snapshot.checkpoints.map((left) => (left as Json[]).length)).toEqual([2, 1]);
});

test("files beyond one run are told as left for the next backup", async () => {
  const { server } = lfsServerOf({ give: () => new Response(A.bytes) });
  const { snapshot } = await fetchAll(server, pendingOf([A], 7));
  expect(snapshot.skipped).toEqual([
    {
      type: "skipped",
      path: "lfs/…",
      kind: "lfs-object",
      reason: "7 more files of Git LFS are fetched by the next backup.",
    },
  ]);
});

test.each([
  [404, "Forge does not have this file of Git LFS: it was never uploaded, or was deleted (404)."],
  [410, "The owner has removed this file of Git LFS from Forge (410)."],
  [409, "Forge holds this file of Git LFS in a bad state (409)."],
  [422, "Forge holds this file of Git LFS in a bad state (422)."],
  [403, "Forge did not give this file of Git LFS (403)."],
])("a file with the error %i is skipped: %s", async (code, reason) => {
  const { server, given } = lfsServerOf({ say: () => ({ error: { code, message: "" } }) });
  expect((await fetchAll(server, pendingOf([A]))).snapshot.skipped).toEqual([
    { type: "skipped", path: `lfs/${A.oid}`, kind: "lfs-object", reason },
  ]);
  expect(given).toEqual([]);
  const wordy = lfsServerOf({ say: () => ({ error: { code, message: ` Not\n${"x".repeat(300)}` } }) });
  const said = ` Not ${"x".repeat(300)}`.slice(0, 200);
  expect((await fetchAll(wordy.server, pendingOf([A]))).reasons).toEqual([`${reason} It said: ${said}`]);
});

test("a file that the server does not mention, or gives no address for, is skipped", async () => {
  const silent = lfsServerOf({ say: () => null });
  expect((await fetchAll(silent.server, pendingOf([A]))).reasons).toEqual([
    "Forge does not have this file of Git LFS: it was never uploaded, or was deleted (404). It said: The server did not say anything about this file.",
  ]);
  const vague = lfsServerOf({ say: () => ({ actions: {} }) });
  expect((await fetchAll(vague.server, pendingOf([A]))).reasons).toEqual([
    "Forge does not have this file of Git LFS: it was never uploaded, or was deleted (404). It said: It named no address for it.",
  ]);
});

test.each([
  [501, "unsupported", "Forge does not offer Git LFS for this repository (501)."],
  [507, "forbidden", "The owner's Git LFS storage at Forge is used up (507)."],
  [509, "forbidden", "The owner's Git LFS bandwidth at Forge is used up (509)."],
])("a server that refuses all with %i is asked once per run", async (status, _kind, reason) => {
  const files = Array.from({ length: 120 }, (_, at) => lfsFile(`file ${at}`));
  const { server } = lfsServerOf({});
  let questions = 0;
  const fetch = async () => {
    questions += 1;
    return new Response("no", { status });
  };
  const refusing = { ...server, remote: { ...server.remote, fetch } };
  const { reasons } = await fetchAll(refusing, pendingOf(files));
  expect([questions, reasons.length, new Set(reasons)]).toEqual([1, 120, new Set([reason])]);
});

test("a temporary failure of the question or of a download ends the run", async () => {
  const { server } = lfsServerOf({ give: () => new Response("busy", { status: 503 }) });
  await expect(fetchAll(server, pendingOf([A]))).rejects.toMatchObject({ kind: "unavailable" });
  const down = {
    ...server,
    remote: { ...server.remote, fetch: async () => new Response("", { status: 429 }) },
  };
  await expect(fetchAll(down, pendingOf([A]))).rejects.toMatchObject({ kind: "rate-limited" });
});

test("a file whose bytes differ from its name is skipped, and one that goes on is cut at its size", async () => {
  const other = lfsServerOf({ give: () => new Response("REd") });
  expect((await fetchAll(other.server, pendingOf([A]))).reasons).toEqual([
    "Forge's LFS server sent other bytes than this file's name promises.",
  ]);
  let isReleased = false;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(A.bytes),
      cancel: () => {
        isReleased = true;
      },
    });
  const { server } = lfsServerOf({ give: () => new Response(endless()) });
  const { snapshot } = await fetchAll(server, pendingOf([A]));
  // The bytes up to the announced size are the file.
  expect([snapshot.entries.has(`lfs/${A.oid}`), isReleased]).toEqual([true, true]);
});

test("an address that has ended is asked for again before it is used, once", async () => {
  const expiring = (isOld: () => boolean) =>
    lfsServerOf({
      say: (oid) => ({ actions: { download: addressOf(oid, { expires_in: isOld() ? 1 : 3_600 }) } }),
      give: () => new Response(A.bytes),
    });
  let turn = 0;
  const once = expiring(() => ++turn === 1);
  expect((await fetchAll(once.server, pendingOf([A]))).reasons).toEqual([]);
  expect([once.asked.length, once.given.length]).toEqual([2, 1]);
  expect(once.asked[1]).toEqual({ operation: "download", oids: [A.oid] });
  const always = expiring(() => true);
  expect((await fetchAll(always.server, pendingOf([A]))).reasons).toEqual([]);
  expect([always.asked.length, always.given.length]).toEqual([2, 1]);
});

test.each([
  [400, 2],
  [401, 2],
  [403, 2],
  [404, 1],
  [410, 1],
])("a download refused with %i is tried %i times", async (status, tries) => {
  const { server, asked, given } = lfsServerOf({ give: () => new Response("", { status }) });
  const { reasons } = await fetchAll(server, pendingOf([A]));
  expect([asked.length, given.length]).toEqual([tries, tries]);
  expect(reasons).toEqual([expect.stringContaining(`(${status}).`)]);
  let turn = 0;
  const late = lfsServerOf({
    give: () => (++turn === 1 ? new Response("", { status }) : new Response(A.bytes)),
  });
  expect((await fetchAll(late.server, pendingOf([A]))).reasons).toHaveLength(tries === 2 ? 0 : 1);
});

const PACK = "git/packs/0001-0001.pack";
const chainWith = (...paths: string[]): GitChain => ({
  ...emptyChain(1, "sha1"),
  packs: paths.map((path) => ({
    path,
    hash: "0".repeat(40),
    objects: 1,
    bytes: 1,
    tips: ["1".repeat(40)],
    base: true,
  })),
});

async function begin(
  ...args: Parameters<typeof beginFiles>
): Promise<{ events: BackupEvent[]; state: LfsState }> {
  const run = beginFiles(...args);
  const events: BackupEvent[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { events, state: step.value };
    events.push(step.value);
  }
}
const plain = ({ oid, sizeBytes }: LfsPointer) => ({ oid, sizeBytes });

test("a first backup knows no files", async () => {
  const { events, state } = await begin(null, { chain: emptyChain(1, "sha1"), isBase: true, cursor: null });
  expect(events).toEqual([]);
  expect(state).toEqual({ stored: new Set(), asked: new Set(), left: new Set(), pending: pendingOf([]) });
});

test("an increment keeps the files, lists the known pointers and asks for those it lacks, newly found ones first", async () => {
  const list = { pointers: [A, B].map(plain), left: [B.oid] };
  const previous = await versionOf(
    { "git/lfs/0001-0001.json": list },
    { [PACK]: Buffer.from("pack"), [`lfs/${C.oid}`]: C.bytes },
  );
  const hash = (await previous.find(PACK))!.hash;
  previous.companions.set(`${hash}/lfs`, Buffer.from(`${C.oid} ${C.sizeBytes}\n`));
  const order = { chain: chainWith(PACK, "git/packs/0001-0002.pack"), isBase: false, cursor: null };
  const { events, state } = await begin(previous, order);
  expect(events).toEqual([
    { type: "keep-all", prefix: "lfs/" },
    {
      type: "record",
      path: "git/lfs/0001-0001.json",
      kind: "git-lfs",
      title: "3 files of Git LFS",
      parent: PACK,
      value: { pointers: [A, B, C].map(plain).sort((a, b) => (a.oid < b.oid ? -1 : 1)) },
    },
  ]);
  expect(state.pending).toEqual(pendingOf([B, A]));
  expect([...state.asked]).toEqual([B.oid, A.oid]);
  expect([...state.stored]).toEqual([C.oid]);
  // A chain of its own begins without the lists of the previous one.
  const fresh = await begin(previous, { ...order, isBase: true });
  expect([fresh.events, fresh.state.pending, fresh.state.stored.size]).toEqual([[], pendingOf([]), 1]);
  // A continuation goes on with what its cursor holds.
  const resumed = await begin(previous, { ...order, cursor: pendingOf([A], 4) });
  expect(resumed.state.pending).toEqual(pendingOf([A], 4));
});

test("without stored files nothing is kept, and a pack without pointers has no list", async () => {
  const previous = await versionOf({}, { [PACK]: Buffer.from("pack") });
  const { events } = await begin(previous, { chain: chainWith(PACK), isBase: false, cursor: null });
  expect(events).toEqual([]);
});

test("the pointers of a new pack are listed; of a whole history the stored files are kept", async () => {
  const state = (): LfsState => ({
    stored: new Set([A.oid]),
    asked: new Set([B.oid]),
    left: new Set(),
    pending: pendingOf([B]),
  });
  const increment = state();
  expect([...notePointers(increment, { pack: PACK, pointers: [C], isBase: false })]).toEqual([
    {
      type: "record",
      path: "git/lfs/0001-0001.json",
      kind: "git-lfs",
      title: "1 file of Git LFS",
      parent: PACK,
      value: { pointers: [plain(C)] },
    },
  ]);
  expect(increment.pending).toEqual(pendingOf([B, C]));
  const base = state();
  const events = [...notePointers(base, { pack: PACK, pointers: [A, B, C], isBase: true })];
  expect(events.slice(1)).toEqual([{ type: "keep", path: `lfs/${A.oid}` }]);
  expect(base.pending).toEqual(pendingOf([B, C]));
  expect([...notePointers(state(), { pack: PACK, pointers: [A], isBase: false })]).toHaveLength(1);
  expect([...notePointers(state(), { pack: PACK, pointers: [], isBase: true })]).toEqual([]);
});

test("one run asks for five thousand files and leaves the others to the next, which the list names", async () => {
  const many = Array.from({ length: 5_002 }, (_, at) => ({
    oid: at.toString(16).padStart(64, "0"),
    sizeBytes: 1,
  }));
  const state: LfsState = { stored: new Set(), asked: new Set(), left: new Set(), pending: pendingOf([]) };
  const [list] = [...notePointers(state, { pack: PACK, pointers: many, isBase: false })];
  expect([state.pending.files.length, state.pending.left, state.asked.size]).toEqual([5_000, 2, 5_000]);
  expect([...state.left]).toEqual(many.slice(-2).map(({ oid }) => oid));
  expect(list).toMatchObject({ value: { left: many.slice(-2).map(({ oid }) => oid) } });
});

test("an error that is no refusal passes through unchanged", async () => {
  const { server } = lfsServerOf({});
  const own = new ConnectorError("unauthorized", "revoked");
  const fetch = async () => Promise.reject(own);
  await expect(fetchAll({ ...server, remote: { ...server.remote, fetch } }, pendingOf([A]))).rejects.toBe(
    own,
  );
});
