import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { pointerListPath } from "#connectors/toolkit/git/lfs/lfs-records.ts";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { lfsPointer, readLfsFile, storeLfsFile } from "#connectors/toolkit/simulator/lfs-server.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { lfsDirectory, lfsOf } from "./simulator/lfs.ts";
import type { Repository } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld, refsOf } from "./test-world.ts";

let world: GithubTestWorld;
let scratch: string;
beforeAll(async () => {
  world = await openGithubWorld();
  scratch = mkdtempSync(join(tmpdir(), "holdfast-lfs-"));
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await world.stop();
});
beforeEach(() => {
  const lfs = lfsOf(world.simulator.world);
  lfs.refusals.clear();
  lfs.lifetimeMs = 3_600_000;
  lfs.downloads.length = 0;
  world.simulator.faults.clear();
});

const lfs = () => lfsOf(world.simulator.world);
const filesOf = (repository: Repository) => lfsDirectory(world.simulator.world, repository);
const session: GithubTestWorld["session"] = (more) => world.session(more);
const picture = (what: string) => new TextEncoder().encode(`${what} `.repeat(2_000));
const nameOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function backUp(repository: Repository, previous: MemorySnapshot | null = null, by = session()) {
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

/** Commits LFS pointers and uploads the files by default. Returns their names. */
async function addPictures(
  repository: Repository,
  what: readonly string[],
  { isUploaded = true, isTracked = true } = {},
): Promise<string[]> {
  const directory = world.directory(repository);
  const script = createHistoryScript();
  const files = what.map((name) => ({ name, bytes: picture(name) }));
  script.commit({
    ref: "refs/heads/main",
    message: `Add ${what.join(", ")}\n`,
    author: { name: "Nora", email: "nora@meridian.example" },
    at: 1_760_000_000,
    from: "refs/heads/main",
    files: [
      ...(isTracked
        ? [{ path: ".gitattributes", content: "*.psd filter=lfs diff=lfs merge=lfs -text\n" }]
        : []),
      ...files.map(({ name, bytes }) => ({
        path: `pictures/${name}.psd`,
        content: lfsPointer(nameOf(bytes), bytes.length),
      })),
    ],
  });
  await importHistory(directory, script.parts());
  if (isUploaded) for (const { bytes } of files) storeLfsFile(filesOf(repository), bytes);
  return files.map(({ bytes }) => nameOf(bytes));
}

const storedFiles = (snapshot: MemorySnapshot) =>
  [...snapshot.entries.keys()].filter((path) => path.startsWith("lfs/")).sort();
const pathsOf = (oids: readonly string[]) => oids.map((oid) => `lfs/${oid}`).sort();

async function target(snapshot: MemorySnapshot, name: string, journal = memoryJournal(), by = session()) {
  return await runRestore(connector.restore(by, snapshot, asNew(name), journal));
}

function repositoryNamed(name: string): Repository {
  const found = world.simulator.world.state.repositories.find((one) => one.name === name && !one.isDeleted);
  if (found === undefined) throw new Error(`There is no repository ${name}`);
  return found;
}

test("LFS files are in the version and fetched only once ever; no new files, no request", async () => {
  const repository = await world.makeRepository("studio");
  const early = await addPictures(repository, ["lorry", "ferry"]);
  const first = await backUp(repository);
  expect(storedFiles(first)).toEqual(pathsOf(early));
  expect(Buffer.from(first.entries.get(`lfs/${early[0]}`)!.bytes)).toEqual(Buffer.from(picture("lorry")));
  const late = await addPictures(repository, ["crane"]);
  const second = await backUp(repository, first);
  expect(storedFiles(second)).toEqual(pathsOf([...early, ...late]));
  expect([...lfs().downloads].sort()).toEqual([...early, ...late].sort());
  const quiet = session();
  const told = second.progress.filter(({ phase }) => phase === "Receiving files of Git LFS");
  expect(told.map(({ done, total }) => `${done} of ${total}`)).toEqual(["0 of 1", "1 of 1"]);
  const third = await backUp(repository, second, quiet);
  expect(third.newStreams).toEqual([]);
  expect(quiet.requests.filter(({ url }) => url.includes("lfs"))).toEqual([]);
  const verified = await runVerify(third, connector.verify(third, WHOLE_CHECK));
  expect([verified.problems, verified.unproven]).toEqual([[], []]);
  expect(verified.found["lfs-pointer"]).toBe(3);
});

test("files that the attributes do not mention are found by the check and fetched by the next backup", async () => {
  const repository = await world.makeRepository("untracked");
  const [lost = "", ...stored] = await addPictures(repository, ["ghost", "canoe", "kayak"], {
    isTracked: false,
  });
  lfs().refusals.set(lost, { code: 404, message: "Gone" });
  const asks = (by: TestSession) => by.requests.filter(({ url }) => url.includes("/contents/")).length;
  const one = session();
  const first = await backUp(repository, null, one);
  expect([asks(one), storedFiles(first), first.skipped]).toEqual([1, [], []]);
  const found = await runVerify(first, connector.verify(first, WHOLE_CHECK));
  expect([found.problems, found.unproven]).toEqual([[], []]);
  expect(found.overlooked).toEqual([expect.stringContaining("3 files of Git LFS")]);
  const two = session();
  const second = await backUp(repository, first, two);
  expect([asks(two), storedFiles(second)]).toEqual([0, pathsOf(stored)]);
  // Files already requested and refused are not reported again. Otherwise every check would trigger a backup.
  const again = await runVerify(second, connector.verify(second, WHOLE_CHECK));
  expect(again.overlooked).toEqual([]);
  expect(again.unproven).toEqual([expect.stringContaining("1 file of Git LFS that the history names")]);
  const [late = ""] = await addPictures(repository, ["raft"], { isTracked: false });
  lfs().refusals.clear();
  const third = await backUp(repository, second);
  expect(storedFiles(third)).toEqual(pathsOf([lost, ...stored, late]));
  const whole = await runVerify(third, connector.verify(third, WHOLE_CHECK));
  expect([whole.problems, whole.unproven, whole.overlooked]).toEqual([[], [], []]);
});

test("files left by one run are fetched first by the next, even if others are permanently missing", async () => {
  const repository = await world.makeRepository("catalogue");
  const names = new Map<string, string>();
  for (let number = 0; number < 5_003; number++)
    names.set(nameOf(picture(`page-${number}`)), `page-${number}`);
  await addPictures(repository, [...names.values()], { isUploaded: false });
  const first = await backUp(repository);
  expect(first.skipped).toHaveLength(5_001);
  expect(first.skipped.at(-1)?.reason).toContain("3 more files");
  const checked = await runVerify(first, connector.verify(first, WHOLE_CHECK));
  expect(checked.unproven).toEqual([expect.stringContaining("5000 files of Git LFS that the history names")]);
  expect(checked.overlooked).toEqual([expect.stringContaining("3 files of Git LFS")]);
  // The requested files stay missing; the remaining ones exist.
  const { packs } = (await first.readRecord("git/chain.json")) as { packs: { path: string }[] };
  const list = (await first.readRecord(pointerListPath(packs[0]!.path))) as { left: string[] };
  for (const oid of list.left) storeLfsFile(filesOf(repository), picture(names.get(oid)!));
  const second = await backUp(repository, first);
  expect(storedFiles(second)).toEqual(pathsOf(list.left));
  const again = await runVerify(second, connector.verify(second, WHOLE_CHECK));
  expect(again.overlooked).toEqual([]);
});

test("if attributes cannot be read the backup scans for pointers, and a rate limit parks it", async () => {
  const repository = await world.makeRepository("opaque");
  const oids = await addPictures(repository, ["dinghy"], { isTracked: false });
  const match = { path: "/repos/.*/opaque/contents/" };
  const answer = (status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    world.simulator.faults.add({ match, action: { kind: "answer", status, body, headers } });
  // A symbolic link, as the contents API returns it.
  answer(200, { type: "symlink", target: "elsewhere" });
  expect(storedFiles(await backUp(repository))).toEqual(pathsOf(oids));
  world.simulator.faults.clear();
  answer(200, { type: "file", content: "not Base64%" });
  expect(storedFiles(await backUp(repository))).toEqual(pathsOf(oids));
  world.simulator.faults.clear();
  answer(429, {}, { "retry-after": "120" });
  expect((await failureOf(backUp(repository))).kind).toBe("rate-limited");
});

test("a rewritten history keeps its files and drops those without a reference", async () => {
  const repository = await world.makeRepository("rewritten");
  const [gone = ""] = await addPictures(repository, ["draft"]);
  const first = await backUp(repository);
  const directory = world.directory(repository);
  runGit(directory, ["update-ref", "refs/heads/main", "refs/heads/main~1"]);
  const [kept = ""] = await addPictures(repository, ["final"]);
  const second = await backUp(repository, first);
  expect(storedFiles(second)).toEqual(pathsOf([gone, kept]));
  // The next change starts a new chain of packs, because this one is too long.
  const chain = (await second.readRecord("git/chain.json")) as { packs: Json[] } & Record<string, Json>;
  const entry = second.entries.get("git/chain.json")!;
  const long = { ...chain, packs: Array.from({ length: 31 }, () => chain.packs[0]!) };
  second.entries.set("git/chain.json", { ...entry, bytes: new TextEncoder().encode(JSON.stringify(long)) });
  const [added = ""] = await addPictures(repository, ["poster"]);
  lfs().downloads.length = 0;
  const third = await backUp(repository, second);
  expect(storedFiles(third)).toEqual(pathsOf([kept, added]));
  expect(lfs().downloads).toEqual([added]);
});

test.each([
  [404, "never uploaded"],
  [410, "has removed this file"],
  [422, "bad state"],
  [500, "did not give this file"],
])("a file with the error %i is reported and fetched by a later backup", async (code, words) => {
  const repository = await world.makeRepository(`refused-${code}`);
  const [lost = "", fine = ""] = await addPictures(repository, [`lost-${code}`, `fine-${code}`]);
  lfs().refusals.set(lost, { code, message: "Not today" });
  const first = await backUp(repository);
  expect(storedFiles(first)).toEqual(pathsOf([fine]));
  expect(first.skipped).toEqual([
    { type: "skipped", path: `lfs/${lost}`, kind: "lfs-object", reason: expect.stringContaining(words) },
  ]);
  expect(first.skipped[0]?.reason).toMatch(/\. It said: Not today$/);
  const verified = await runVerify(first, connector.verify(first, WHOLE_CHECK));
  expect(verified.problems).toEqual([]);
  expect(verified.unproven).toEqual([expect.stringContaining(`1 file of Git LFS`)]);
  lfs().refusals.clear();
  const second = await backUp(repository, first);
  expect(storedFiles(second)).toEqual(pathsOf([lost, fine]));
  expect(second.skipped).toEqual([]);
  expect(lfs().downloads.filter((oid) => oid === fine)).toHaveLength(1);
});

test("a download that is refused without a word is told without one", async () => {
  const repository = await world.makeRepository("mute");
  await addPictures(repository, ["mime"]);
  world.simulator.faults.add({
    match: { path: "^/_lfs/" },
    action: { kind: "answer", status: 410, body: "" },
  });
  const { skipped } = await backUp(repository);
  expect(skipped.map(({ reason }) => reason)).toEqual([
    "The owner has removed this file of Git LFS from GitHub (410).",
  ]);
});

test("a file with other bytes than its name promises is left out, and the rest of the version stands", async () => {
  const repository = await world.makeRepository("swapped");
  const [bad = "", good = ""] = await addPictures(repository, ["bad", "good"]);
  writeFileSync(join(filesOf(repository), bad), picture("evil").slice(0, picture("bad").length));
  const snapshot = await backUp(repository);
  expect(storedFiles(snapshot)).toEqual(pathsOf([good]));
  expect(snapshot.skipped).toMatchObject([
    { path: `lfs/${bad}`, reason: expect.stringContaining("other bytes") },
  ]);
});

test("an exhausted quota or a server without LFS is reported for every file after one request", async () => {
  const repository = await world.makeRepository("spent");
  const oids = await addPictures(repository, ["one", "two"]);
  const match = { path: "/spent.git/info/lfs/" };
  for (const [status, words] of [
    [509, "bandwidth"],
    [501, "does not offer"],
    [404, "files of Git LFS"],
  ] as const) {
    world.simulator.faults.add({ match, action: { kind: "answer", status, body: { message: "No" } } });
    const by = session();
    const snapshot = await backUp(repository, null, by);
    expect(storedFiles(snapshot)).toEqual([]);
    expect(snapshot.skipped.map(({ path }) => path).sort()).toEqual(pathsOf(oids));
    expect(snapshot.skipped[0]?.reason).toContain(words);
    world.simulator.faults.clear();
  }
});

test("a rate limit parks the run, a temporary fault fails the attempt, and no error contains the token", async () => {
  const repository = await world.makeRepository("limited");
  await addPictures(repository, ["only"]);
  const match = { path: "/limited.git/info/lfs/" };
  const headers = { "retry-after": "120" };
  world.simulator.faults.add({ match, action: { kind: "answer", status: 429, body: {}, headers } });
  const limited = await failureOf(backUp(repository));
  expect(limited.kind).toBe("rate-limited");
  expect(limited.retryAt).toBeGreaterThan(Date.now() + 60_000);
  world.simulator.faults.clear();
  world.simulator.faults.add({
    match: { path: "^/_lfs/" },
    action: { kind: "answer", status: 503, body: "" },
  });
  const broken = await failureOf(backUp(repository));
  expect(broken.kind).toBe("unavailable");
  for (const failure of [limited, broken]) expect(`${failure.stack}`).not.toContain(world.token);
  world.simulator.faults.clear();
  world.simulator.faults.add({ match: { path: "^/_lfs/" }, action: { kind: "cut", afterBytes: 100 } });
  expect((await failureOf(backUp(repository))).kind).toBe("unavailable");
});

test("an expired URL is requested again, and our token is sent only to the git server", async () => {
  const repository = await world.makeRepository("expiring");
  const oids = await addPictures(repository, ["late"]);
  lfs().lifetimeMs = -1_000;
  let questions = 0;
  const sent: string[] = [];
  const by = session({
    fetch: async (url, init) => {
      if (url.includes("/objects/batch") && ++questions === 2) lfs().lifetimeMs = 3_600_000;
      if (url.includes("/_lfs/")) sent.push(new Headers(init?.headers).get("authorization") ?? "none");
      return await fetch(url, init);
    },
  });
  expect(storedFiles(await backUp(repository, null, by))).toEqual(pathsOf(oids));
  expect(questions).toBe(2);
  expect(sent).toEqual(["none"]);
});

test("a run that ends between files continues with the remaining ones", async () => {
  const repository = await world.makeRepository("many");
  const names = Array.from({ length: 45 }, (_, index) => `picture-${index}`);
  const oids = await addPictures(repository, names);
  const by = session();
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  const whole = await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }));
  expect(storedFiles(whole)).toEqual(pathsOf(oids));
  const cursors = whole.checkpoints.filter((cursor) => JSON.stringify(cursor).includes('"files":[["'));
  expect(cursors.length).toBeGreaterThanOrEqual(2);
  lfs().downloads.length = 0;
  const rest = await takeSnapshot(connector.backUp(session(), { item, previous: null, cursor: cursors[0]! }));
  expect(rest.newStreams.every((path) => path.startsWith("lfs/"))).toBe(true);
  expect(lfs().downloads).toHaveLength(25);
});

test("the ZIP has the files where git-lfs expects them", async () => {
  const repository = await world.makeRepository("gallery");
  const [oid = ""] = await addPictures(repository, ["mural"]);
  const snapshot = await backUp(repository);
  const files = new Map<string, string>();
  for await (const file of connector.exportFiles(snapshot, { name: "gallery" })) {
    if (file.source === "entry") files.set(file.path, file.entry);
  }
  const place = `gallery.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`;
  expect(files.get(place)).toBe(`lfs/${oid}`);
});

test("a restore uploads files before the push and none twice, even after a crash", async () => {
  const original = await world.makeRepository("posters");
  const oids = await addPictures(original, ["spring", "autumn"]);
  const snapshot = await backUp(original);
  const journal = memoryJournal();
  let puts = 0;
  const by = session({
    fetch: async (url, init) => {
      if (init?.method === "PUT" && url.includes("/_lfs/") && ++puts === 2)
        throw new Error("The worker died.");
      return await fetch(url, init);
    },
  });
  expect((await failureOf(target(snapshot, "posters_restored", journal, by))).kind).toBe("unavailable");
  const { events } = await target(snapshot, "posters_restored", journal, by);
  expect(puts).toBe(3);
  const third = session();
  await target(snapshot, "posters_restored", journal, third);
  expect(third.requests.filter(({ url }) => url.includes("/info/lfs/"))).toEqual([]);
  expect(events).toContainEqual({ type: "restored", kind: "lfs-object", count: 2 });
  const restored = repositoryNamed("posters_restored");
  expect(readLfsFile(filesOf(restored), oids[1]!)).toEqual(Buffer.from(picture("autumn")));
  const tips = (repository: Repository) =>
    refsOf(world.directory(repository))
      .split("\n")
      .filter((line) => line.startsWith("refs/heads/"));
  expect(tips(restored)).toEqual(tips(original));
});

test("a history with lost files is reported with GitHub's response to the push", async () => {
  const original = await world.makeRepository("torn");
  await addPictures(original, ["ghost"], { isUploaded: false });
  const snapshot = await backUp(original);
  expect(snapshot.skipped).toHaveLength(1);
  const { events } = await target(snapshot, "torn_restored");
  expect(events).toContainEqual({
    type: "missing",
    what: expect.stringContaining("main"),
    reason: expect.stringMatching(/lacks.*GH008/s),
  });
  expect(refsOf(world.directory(repositoryNamed("torn_restored")))).toContain("refs/heads/release/1.x");
});

test("a server that refuses files is reported with its message, and the rest is restored", async () => {
  const original = await world.makeRepository("full-store");
  const [oid = ""] = await addPictures(original, ["panorama"]);
  const snapshot = await backUp(original);
  lfs().refusals.set(oid, { code: 507, message: "Your account is over its storage quota" });
  const { events } = await target(snapshot, "full-store_restored");
  expect(events).toContainEqual({
    type: "missing",
    what: `1 file of Git LFS (${oid})`,
    reason: expect.stringContaining("over its storage quota"),
  });
  expect(events).toContainEqual({ type: "restored", kind: "tag", count: 3 });
});
