import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { lfsPointer, readLfsFile, storeLfsFile } from "#connectors/toolkit/simulator/lfs-server.ts";
import { importHistory } from "#connectors/toolkit/simulator/run-git.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { lfsDirectory, lfsOf } from "./simulator/lfs.ts";
import { codeDirectory } from "./simulator/projects.ts";
import type { Project } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld, refsOf } from "./test-world.ts";

let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  world = await openGitlabWorld("project", { rateLimit: 1_000_000 });
  token = await world.issueToken();
});
afterAll(() => world.stop());
beforeEach(() => {
  lfs().refusals.clear();
  lfs().downloads.length = 0;
});

const lfs = () => lfsOf(world.simulator.world);
const filesOf = (project: Project) => lfsDirectory(world.simulator.world, project);
const session = (more: { fetch?: TestSession["fetch"] } = {}) =>
  testSession({ config: world.config, token, accountName: world.accountName, ...more });
const picture = (what: string) => new TextEncoder().encode(`${what} `.repeat(2_000));
const nameOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const storedFiles = (snapshot: MemorySnapshot) =>
  [...snapshot.entries.keys()].filter((path) => path.startsWith("lfs/")).sort();
const pathsOf = (oids: readonly string[]) => oids.map((oid) => `lfs/${oid}`).sort();
const branches = (project: Project) =>
  refsOf(codeDirectory(world.simulator.world, project))
    .split("\n")
    .filter((line) => line.startsWith("refs/heads/"));

async function backUp(project: Project, previous: MemorySnapshot | null = null, by = session()) {
  const item = await connector.getItem(by, { kind: "project", ...world.reference(project) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

async function restore(snapshot: MemorySnapshot, name: string, journal = memoryJournal(), by = session()) {
  return await runRestore(connector.restore(by, snapshot, asNew(name), journal));
}

/** Commits pointers, and uploads the files unless `isUploaded` is false. Returns their names. */
async function addPictures(project: Project, what: readonly string[], { isUploaded = true } = {}) {
  const script = createHistoryScript();
  const files = what.map((name) => ({ name, bytes: picture(name) }));
  script.commit({
    ref: "refs/heads/main",
    message: `Add ${what.join(", ")}\n`,
    author: { name: "Nora", email: "nora@meridian.example" },
    at: 1_760_000_000,
    from: "refs/heads/main",
    files: [
      { path: ".gitattributes", content: "*.psd filter=lfs diff=lfs merge=lfs -text\n" },
      ...files.map(({ name, bytes }) => ({
        path: `pictures/${name}.psd`,
        content: lfsPointer(nameOf(bytes), bytes.length),
      })),
    ],
  });
  await importHistory(codeDirectory(world.simulator.world, project), script.parts());
  if (isUploaded) for (const { bytes } of files) storeLfsFile(filesOf(project), bytes);
  return files.map(({ bytes }) => nameOf(bytes));
}

test("LFS files are in the version and its ZIP, verified, and fetched only once ever", async () => {
  const project = await world.makeProject("gallery");
  const early = await addPictures(project, ["lorry", "ferry"]);
  const first = await backUp(project);
  const late = await addPictures(project, ["crane"]);
  const second = await backUp(project, first);
  const all = [...early, ...late];
  expect(storedFiles(second)).toEqual(pathsOf(all));
  expect([...lfs().downloads].sort()).toEqual([...all].sort());
  const quiet = session();
  expect((await backUp(project, second, quiet)).newStreams).toEqual([]);
  expect(quiet.requests.filter(({ url }) => url.includes("lfs"))).toEqual([]);
  const verified = await runVerify(second, connector.verify(second, WHOLE_CHECK));
  expect([verified.problems, verified.unproven, verified.found["lfs-pointer"]]).toEqual([[], [], 3]);
  const files = new Map<string, string>();
  let readme = "";
  for await (const file of connector.exportFiles(second, { name: "gallery" })) {
    if (file.source === "entry") files.set(file.path, file.entry);
    else if (file.source === "bytes" && file.path === "README.txt")
      readme = new TextDecoder().decode(file.bytes);
  }
  for (const oid of all) {
    const place = `gallery.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`;
    expect(files.get(place)).toBe(`lfs/${oid}`);
  }
  expect([...files.keys()].filter((path) => path.startsWith("metadata/git"))).toEqual([]);
  expect(readme).toContain("3 files of Git LFS");
});

test("files that GitLab does not count are found by the check and fetched by the next backup", async () => {
  const project = await world.makeProject("uncounted");
  const [oid = ""] = await addPictures(project, ["ghost"], { isUploaded: false });
  const first = await backUp(project);
  expect([storedFiles(first), first.skipped]).toEqual([[], []]);
  const found = await runVerify(first, connector.verify(first, WHOLE_CHECK));
  expect([found.unproven, found.overlooked]).toEqual([[], [expect.stringContaining(oid)]]);
  const second = await backUp(project, first);
  expect(second.skipped).toMatchObject([{ path: `lfs/${oid}` }]);
  const again = await runVerify(second, connector.verify(second, WHOLE_CHECK));
  expect([again.unproven, again.overlooked]).toEqual([[expect.stringContaining(oid)], []]);
  storeLfsFile(filesOf(project), picture("ghost"));
  const third = await backUp(project, second);
  expect([storedFiles(third), third.skipped]).toEqual([pathsOf([oid]), []]);
});

test("a restore uploads files before the push and none twice, even after a crash", async () => {
  const original = await world.makeProject("posters");
  const oids = await addPictures(original, ["spring", "autumn"]);
  const snapshot = await backUp(original);
  const journal = memoryJournal();
  let puts = 0;
  const by = session({
    fetch: async (url, init) => {
      const isUpload = init?.method === "PUT" && url.includes("/_lfs/");
      if (isUpload && ++puts === 2) throw new Error("The worker died.");
      return await fetch(url, init);
    },
  });
  expect((await failureOf(restore(snapshot, "posters-restored", journal, by))).kind).toBe("unavailable");
  const { events } = await restore(snapshot, "posters-restored", journal, by);
  expect(puts).toBe(3);
  expect(events).toContainEqual({ type: "restored", kind: "lfs-object", count: 2 });
  const restored = world.projectNamed("posters-restored");
  expect(readLfsFile(filesOf(restored), oids[1] ?? "")).toEqual(Buffer.from(picture("autumn")));
  expect(branches(restored)).toEqual(branches(original));
  expect(restored.hasLfs).toBe(true);
});

test("a file that GitLab lacks is reported as skipped, fetched once available, and does not block the history", async () => {
  const original = await world.makeProject("torn");
  const [fine = ""] = await addPictures(original, ["harbour"]);
  const [lost = ""] = await addPictures(original, ["ghost"], { isUploaded: false });
  const first = await backUp(original);
  expect(storedFiles(first)).toEqual(pathsOf([fine]));
  expect(first.skipped).toEqual([
    {
      type: "skipped",
      path: `lfs/${lost}`,
      kind: "lfs-object",
      reason: expect.stringContaining("never uploaded"),
    },
  ]);
  const { events } = await restore(first, "torn-restored");
  expect(events).toContainEqual({
    type: "missing",
    what: expect.stringContaining(lost),
    reason: expect.stringContaining("pointers come back"),
  });
  const restored = world.projectNamed("torn-restored");
  expect(branches(restored)).toEqual(branches(original));
  expect(readLfsFile(filesOf(restored), fine)).toEqual(Buffer.from(picture("harbour")));
  expect(restored.hasLfs).toBe(true);
  storeLfsFile(filesOf(original), picture("ghost"));
  const second = await backUp(original, first);
  expect(storedFiles(second)).toEqual(pathsOf([fine, lost]));
  expect(second.skipped).toEqual([]);
});

test("files that GitLab refuses do not block the history, and a later attempt sends them", async () => {
  const original = await world.makeProject("full-store");
  const [oid = ""] = await addPictures(original, ["panorama"]);
  const snapshot = await backUp(original);
  lfs().refusals.set(oid, { code: 507, message: "Your storage quota is used up" });
  const journal = memoryJournal();
  const dying = session({
    fetch: async (url, init) => {
      if (url.includes("git-receive-pack")) throw new Error("The worker died.");
      return await fetch(url, init);
    },
  });
  await failureOf(restore(snapshot, "full-restored", journal, dying));
  const restored = world.projectNamed("full-restored");
  expect(restored.hasLfs).toBe(false);
  lfs().refusals.clear();
  const { events } = await restore(snapshot, "full-restored", journal);
  expect(events).toContainEqual({ type: "restored", kind: "lfs-object", count: 1 });
  expect(branches(restored)).toEqual(branches(original));
  expect(restored.hasLfs).toBe(true);
});

test("a project with LFS disabled is backed up with a note per file, and restored", async () => {
  const original = await world.makeProject("switched-off");
  await addPictures(original, ["cellar"]);
  original.hasLfs = false;
  const snapshot = await backUp(original);
  expect(snapshot.skipped).toMatchObject([{ kind: "lfs-object", reason: expect.stringContaining("LFS") }]);
  await restore(snapshot, "switched-off-restored");
  const restored = world.projectNamed("switched-off-restored");
  expect(branches(restored)).toEqual(branches(original));
  expect(restored.hasLfs).toBe(false);
});
