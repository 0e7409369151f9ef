import { expect, test } from "vitest";
import type { VerifyEvent, VerifyOrder } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { concatBytes, utf8 } from "#core/kernel/crypto.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { type MemorySnapshot, runVerify, WHOLE_CHECK } from "#tests/conformance/memory-snapshot.ts";
import { blob, forge, objectEntry, oidOf } from "../test-packs.ts";
import { commitPack, pointerText, repositoryVersion, versionOf } from "./test-versions.ts";
import { type RepositoryCheck, verifyRepositories } from "./verify-repositories.ts";

const one = commitPack("one");
const two = commitPack("two", [one.oid]);
const MAIN = [{ name: "refs/heads/main", oid: two.oid }];
const BOTH = [
  { pack: one.pack, tips: [one.oid] },
  { pack: two.pack, tips: [two.oid] },
];
const PATHS = ["git/packs/0001-0001.pack", "git/packs/0001-0002.pack"] as const;
const GIT: RepositoryCheck = { platformName: "Forge", prefixes: ["git/"] };

async function check(snapshot: MemorySnapshot, order: VerifyOrder = WHOLE_CHECK, rules = GIT) {
  const events: VerifyEvent[] = [];
  async function* seen() {
    for await (const event of verifyRepositories(snapshot, order, rules)) {
      events.push(event);
      yield event;
    }
  }
  return { ...(await runVerify(snapshot, seen())), events };
}

const companionNames = (snapshot: MemorySnapshot, path: string) =>
  [...snapshot.companions.keys()].flatMap((key) => {
    const [hash, name = ""] = key.split("/");
    return snapshot.entries.get(path)?.info.hash === hash ? [name] : [];
  });

const factsOf = async (snapshot: MemorySnapshot, path: string) => {
  const pieces: Uint8Array[] = [];
  for await (const piece of snapshot.readCompanion(path, "facts")) pieces.push(piece.slice());
  return JSON.parse(Buffer.from(concatBytes(...pieces)).toString());
};

test("every pack gets its facts and then its index, and a checkpoint follows each", async () => {
  const snapshot = await repositoryVersion(BOTH, MAIN);
  const { events, found, problems, unproven, overlooked } = await check(snapshot);
  expect([problems, unproven, overlooked]).toEqual([[], [], []]);
  expect(found).toEqual({ "git-object": 6, "lfs-pointer": 0 });
  const companion = (at: 0 | 1, name: string) => ({ type: "companion", path: PATHS[at], name });
  const point = (packsDone: number) => ({
    type: "checkpoint",
    cursor: { version: 1, prefix: "git/", packsDone, unproven: [], isBegun: false },
  });
  const progress = (done: number) => ({
    type: "progress",
    progress: { phase: "Checking git packs", done, total: 2, unit: "items" },
  });
  expect(events).toMatchObject([
    progress(0),
    companion(0, "facts"),
    companion(0, "idx"),
    point(1),
    progress(1),
    companion(1, "facts"),
    companion(1, "idx"),
    point(2),
    { type: "found", kind: "git-object", count: 6 },
    { type: "found", kind: "lfs-pointer", count: 0 },
  ]);
  expect(await factsOf(snapshot, PATHS[0])).toEqual({ objects: 3, lfsPointers: 0, problems: [] });
  // What is indexed is not indexed again.
  const again = await check(snapshot);
  expect(again.events).toMatchObject([
    { type: "found", kind: "git-object", count: 6 },
    { type: "found", kind: "lfs-pointer", count: 0 },
  ]);
});

test("a version without its list of packs, or without a pack that it names, is a problem", async () => {
  const message = "git/chain.json: The list of git packs is missing or names a pack that is not there.";
  const lost = await repositoryVersion(BOTH, MAIN);
  lost.entries.delete(PATHS[0]);
  expect((await check(lost)).problems).toEqual([message]);
  expect((await check(await versionOf({}))).problems).toEqual([message]);
});

test("objects that no pack holds are counted, the first is named, and the problem is told again later", async () => {
  const snapshot = await repositoryVersion([{ pack: two.pack, tips: [two.oid] }], MAIN);
  const problem = `${PATHS[0]}: 1 object is missing that the history leans on, e.g. ${one.oid.slice(0, 16)}.`;
  expect((await check(snapshot)).problems).toEqual([problem]);
  expect((await check(snapshot)).problems).toEqual([problem]);
  const tree = "a".repeat(40);
  const commits = ["b", "c"].map((digit) => `tree ${tree}\nparent ${digit.repeat(40)}\n\nm\n`);
  const pack = forge(commits.map((text) => objectEntry("commit", text)));
  const tips = commits.map((text) => oidOf("commit", text));
  const refs = tips.map((oid, at) => ({ name: `refs/heads/${at}`, oid }));
  const several = await repositoryVersion([{ pack, tips }], refs);
  expect((await check(several)).problems).toEqual([
    `${PATHS[0]}: 3 objects are missing that the history leans on, e.g. ${tree.slice(0, 16)}.`,
  ]);
});

test("objects that are not of their type's form are counted and the first is named", async () => {
  const pack = forge([objectEntry("tree", "no tree"), objectEntry("commit", "no commit")]);
  const refs = [{ name: "refs/heads/main", oid: oidOf("tree", "no tree") }];
  const { problems } = await check(await repositoryVersion([{ pack, tips: [refs[0]!.oid] }], refs));
  expect(problems).toEqual([
    `${PATHS[0]}: 2 objects are not of the form their type demands, e.g. ${refs[0]!.oid}.`,
  ]);
});

test("refs and a head that point to nothing are named, five of them", async () => {
  const lost = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `refs/heads/b${at}`, oid: `${at}`.repeat(40) }));
  const problemOf = async (refs: { name: string; oid: string }[], headOid: string | null) =>
    (await check(await repositoryVersion([BOTH[0]!], refs, { headOid }))).problems;
  const start = "git/refs.json: What these refs point to is in no pack:";
  expect(await problemOf([{ name: "refs/heads/main", oid: one.oid }, ...lost(1)], one.oid)).toEqual([
    `${start} refs/heads/b0.`,
  ]);
  expect(await problemOf(lost(4), "f".repeat(40))).toEqual([
    `${start} HEAD, refs/heads/b0, refs/heads/b1, refs/heads/b2, refs/heads/b3.`,
  ]);
  expect(await problemOf(lost(7), null)).toEqual([
    `${start} refs/heads/b0, refs/heads/b1, refs/heads/b2, refs/heads/b3, refs/heads/b4 and 2 more.`,
  ]);
});

test("a pack that is another one than was fetched, or cannot be read, is a problem, and later packs blame nothing on it", async () => {
  const swapped = await repositoryVersion(BOTH, MAIN);
  const entry = swapped.entries.get(PATHS[0])!;
  swapped.entries.set(PATHS[0], { ...entry, bytes: forge([blob("else")]) });
  entry.info.sizeBytes = forge([blob("else")]).length;
  const other = await check(swapped);
  expect(other.problems).toEqual([`${PATHS[0]}: This git pack is another one than was fetched.`]);
  expect(companionNames(swapped, PATHS[0])).toEqual([]);
  expect(other.checkpoints).toHaveLength(2);

  const damaged = await repositoryVersion(BOTH, MAIN);
  damaged.entries.get(PATHS[0])!.bytes[40]! ^= 0x55;
  const broken = await check(damaged);
  expect(broken.problems).toEqual([
    expect.stringMatching(/^git\/packs\/0001-0001\.pack: This git pack cannot be read: .*\.$/),
  ]);
  expect(broken.found["git-object"]).toBe(3);
  // Once told, a pack without an index is passed over.
  const rest = await check(damaged, { ...WHOLE_CHECK, cursor: broken.checkpoints[1]! });
  expect([rest.problems, rest.checkpoints]).toEqual([[], []]);
});

test("a pack beyond the limits is unproven, with its reason, also when a later slice ends the check", async () => {
  const snapshot = await repositoryVersion(BOTH, MAIN);
  const rules = { ...GIT, limits: { memoryBytes: 1 } };
  const whole = await check(snapshot, WHOLE_CHECK, rules);
  const message = (path: string) =>
    `${path}: Every byte is stored and its checksum proved, but it is not indexed: A pack of 3 objects is too large to be indexed here.`;
  expect(whole.unproven).toEqual([message(PATHS[0]), message(PATHS[1])]);
  expect([whole.problems, whole.found]).toEqual([[], { "git-object": 0, "lfs-pointer": 0 }]);
  const later = await check(snapshot, { ...WHOLE_CHECK, cursor: whole.checkpoints[0]! });
  expect(later.unproven).toEqual([message(PATHS[0])]);
  expect(later.found["git-object"]).toBe(3);
});

test("optional repositories are verified if the version has them; the cursor leads through all", async () => {
  const rules = { platformName: "Forge", prefixes: ["git/"], optional: ["wiki/", "site/"] };
  const git = await repositoryVersion(BOTH, MAIN);
  const wiki = await repositoryVersion([BOTH[0]!], [{ name: "refs/heads/main", oid: one.oid }], {
    prefix: "wiki/",
  });
  for (const [path, entry] of wiki.entries) git.entries.set(path, entry);
  const whole = await check(git, WHOLE_CHECK, rules);
  expect([whole.problems, whole.found["git-object"]]).toEqual([[], 9]);
  expect(whole.checkpoints.map((cursor) => (cursor as { prefix: string }).prefix)).toEqual([
    "git/",
    "git/",
    // The wiki's pack is the same as the first, so its index exists.
  ]);
  git.companions.clear();
  const rest = await check(git, { ...WHOLE_CHECK, cursor: whole.checkpoints[0]! }, rules);
  const indexed = rest.events.flatMap((event) =>
    event.type === "companion" && event.name === "idx" ? [event.path] : [],
  );
  expect(indexed).toEqual([PATHS[1], "wiki/packs/0001-0001.pack"]);
  const inWiki = { version: 1, prefix: "wiki/", packsDone: 0, unproven: [], isBegun: false };
  git.companions.clear();
  const last = await check(git, { ...WHOLE_CHECK, cursor: inWiki }, rules);
  expect(last.events.flatMap((event) => (event.type === "companion" ? [event.path] : []))).toEqual([
    "wiki/packs/0001-0001.pack",
    "wiki/packs/0001-0001.pack",
  ]);
  const none = await versionOf({});
  expect(
    (await check(none, WHOLE_CHECK, { ...GIT, prefixes: [], optional: ["wiki/"] })).events,
  ).toMatchObject([
    { type: "found", kind: "git-object", count: 0 },
    { type: "found", kind: "lfs-pointer", count: 0 },
  ]);
});

test("a cursor of a repository that this check does not know, or of another form, is refused", async () => {
  const snapshot = await repositoryVersion(BOTH, MAIN);
  const cursor = { version: 1, prefix: "wiki/", packsDone: 0, unproven: [], isBegun: false };
  await expect(check(snapshot, { ...WHOLE_CHECK, cursor })).rejects.toThrow(UnreadableCursorError);
  await expect(check(snapshot, { ...WHOLE_CHECK, cursor })).rejects.toThrow("knows no repository wiki/");
  for (const bad of [{ ...cursor, prefix: "git/", version: 2 }, { ...cursor, more: 1 }, 5])
    await expect(check(snapshot, { ...WHOLE_CHECK, cursor: bad })).rejects.toThrow(UnreadableCursorError);
});

test("a large pack is checked slice by slice, each from the state of the one before", async () => {
  const pack = forge(Array.from({ length: 300 }, (_, at) => blob(`blob ${at}`)));
  const tip = oidOf("blob", "blob 0");
  const snapshot = await repositoryVersion([{ pack, tips: [tip] }], [{ name: "refs/tags/a", oid: tip }]);
  let scratch: Uint8Array | null = null;
  let cursor: Json | null = null;
  const done: number[] = [];
  for (let slice = 0; slice < 9; slice++) {
    const stored: Uint8Array | null = scratch;
    const order: VerifyOrder = {
      cursor,
      readScratch: (name) =>
        stored === null || name !== "index-state"
          ? null
          : (async function* () {
              yield stored;
            })(),
      isOver: () => true,
    };
    let isCut = false;
    for await (const event of verifyRepositories(snapshot, order, GIT)) {
      if (event.type === "scratch") {
        const pieces: Uint8Array[] = [];
        await event.write({ write: (piece) => void pieces.push(piece.slice()) });
        scratch = concatBytes(...pieces);
      }
      if (event.type === "progress" && event.progress.phase === "Checking git objects") {
        expect(event.progress).toMatchObject({ total: 300, unit: "objects" });
        done.push(event.progress.done);
      }
      if (event.type === "checkpoint") {
        cursor = event.cursor;
        isCut = (cursor as { isBegun: boolean }).isBegun;
        if (isCut) break;
      }
      if (event.type === "companion") expect(done.length).toBeGreaterThan(1);
    }
    if (!isCut) break;
    expect(cursor).toMatchObject({ prefix: "git/", packsDone: 0, isBegun: true });
  }
  expect(done).toEqual([128, 256]);
  expect(cursor).toMatchObject({ packsDone: 1, isBegun: false });
});

const POINTERS = [3, 1, 2].map((digit) => ({ oid: `${digit}`.repeat(64), sizeBytes: digit }));

/** A version whose only pack has LFS pointers, with these of their files. */
async function withPointers(stored: readonly string[], list: Json | null = null) {
  const pack = forge(POINTERS.map((pointer) => blob(pointerText(pointer))));
  const tip = oidOf("blob", pointerText(POINTERS[0]!));
  const more = Object.fromEntries(stored.map((oid) => [`lfs/${oid}`, utf8("file")]));
  const refs = [{ name: "refs/tags/a", oid: tip }];
  const snapshot = await repositoryVersion([{ pack, tips: [tip] }], refs, { more });
  if (list === null) return snapshot;
  const listed = await versionOf({ "git/lfs/0001-0001.json": list });
  for (const [path, entry] of listed.entries) snapshot.entries.set(path, entry);
  return snapshot;
}

test("LFS files that only this check found are overlooked; those that a backup asked for are unproven", async () => {
  const [three, first, second] = POINTERS.map(({ oid }) => oid) as [string, string, string];
  const found = await check(await withPointers([]));
  expect(found.overlooked).toEqual([
    `lfs/: Only this check found 3 files of Git LFS that the history names, e.g. ${first}. The next backup fetches what the platform has of them.`,
  ]);
  expect([found.unproven, found.found["lfs-pointer"]]).toEqual([[], 3]);
  const asked = await check(await withPointers([], { pointers: POINTERS }));
  expect(asked.unproven).toEqual([
    `lfs/: 3 files of Git LFS that the history names could not be fetched, e.g. ${first}. Later backups try again.`,
  ]);
  expect(asked.overlooked).toEqual([]);
  const mixed = await check(await withPointers([first], { pointers: POINTERS, left: [three] }));
  expect(mixed.unproven).toEqual([
    expect.stringContaining(`1 file of Git LFS that the history names could not be fetched, e.g. ${second}`),
  ]);
  expect(mixed.overlooked).toEqual([
    expect.stringContaining(`found 1 file of Git LFS that the history names, e.g. ${three}`),
  ]);
  const whole = await check(await withPointers([three, first, second]));
  expect([whole.unproven, whole.overlooked]).toEqual([[], []]);
});

test("the pointers of an indexed pack are remembered, and found again if an early check only counted them", async () => {
  const snapshot = await withPointers([]);
  await check(snapshot);
  const path = PATHS[0];
  expect(companionNames(snapshot, path).sort()).toEqual(["facts", "idx", "lfs"]);
  const again = await check(snapshot);
  expect(again.events.some(({ type }) => type === "companion")).toBe(false);
  expect([again.overlooked.length, again.found["lfs-pointer"]]).toEqual([1, 3]);
  for (const key of [...snapshot.companions.keys()])
    if (key.endsWith("/lfs")) snapshot.companions.delete(key);
  const early = await check(snapshot);
  expect(early.overlooked).toHaveLength(1);
  expect(companionNames(snapshot, path).sort()).toEqual(["facts", "idx", "lfs"]);
  for (const key of [...snapshot.companions.keys()])
    if (key.endsWith("/facts")) snapshot.companions.delete(key);
  const uncounted = await check(snapshot);
  expect([uncounted.overlooked, uncounted.found["lfs-pointer"]]).toEqual([[], 0]);
});

test("a repository of the SHA-256 format is sound, and its platform does not take it back", async () => {
  const pack = forge([blob("one")], 1, "sha256");
  const tip = oidOf("blob", "one", "sha256");
  const snapshot = await repositoryVersion([{ pack, tips: [tip] }], [{ name: "refs/tags/a", oid: tip }], {
    format: "sha256",
  });
  const { problems, events } = await check(snapshot);
  expect(problems).toEqual([]);
  expect(events).toContainEqual({
    type: "unrestorable",
    message: "Forge takes no repositories of the SHA-256 format.",
  });
  expect((await check(await repositoryVersion(BOTH, MAIN))).events).not.toContainEqual(
    expect.objectContaining({ type: "unrestorable" }),
  );
});
