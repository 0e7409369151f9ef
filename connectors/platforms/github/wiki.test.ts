import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import type { Repository } from "./simulator/state.ts";
import { wikiDirectory, writeWiki } from "./simulator/wikis.ts";
import { type GithubTestWorld, openGithubWorld, refsOf } from "./test-world.ts";

let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

const session = () => world.session();

async function backUp(repository: Repository, previous: MemorySnapshot | null = null, by = session()) {
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  by.requests.length = 0;
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

async function withWiki(name: string): Promise<Repository> {
  const repository = await world.makeRepository(name);
  await writeWiki(world.simulator.world, repository, [{ Home: "# Home\n" }, { "Räknare-och-mått": "åäö\n" }]);
  return repository;
}

const wikiPaths = (snapshot: MemorySnapshot) =>
  [...snapshot.entries.keys()].filter((path) => path.startsWith("wiki/"));
const wikiOf = (repository: Repository) => wikiDirectory(world.simulator.world, repository);
const wikiRequests = (by: ReturnType<typeof session>) =>
  by.requests.filter(({ url }) => url.includes(".wiki.git")).map(({ method }) => method);

test("a wiki is part of a version, is verified, and is fetched by increments", async () => {
  const repository = await withWiki("handbook");
  const first = await backUp(repository);
  expect(wikiPaths(first)).toEqual(["wiki/packs/0001-0001.pack", "wiki/refs.json", "wiki/chain.json"]);
  await writeWiki(world.simulator.world, repository, [{ Home: "# Home\n\nMore.\n" }]);
  const second = await backUp(repository, first);
  expect(second.newStreams).toEqual(["wiki/packs/0001-0002.pack"]);
  const verified = await runVerify(second, connector.verify(second, WHOLE_CHECK));
  expect([verified.problems, verified.unproven]).toEqual([[], []]);
  expect(verified.checkpoints).toMatchObject([
    { prefix: "git/", packsDone: 1 },
    { prefix: "wiki/", packsDone: 1 },
    { prefix: "wiki/", packsDone: 2 },
  ]);
  const quiet = session();
  const third = await backUp(repository, second, quiet);
  expect(third.newStreams).toEqual([]);
  const toGit = quiet.requests.filter(({ url }) => url.endsWith(".git/git-upload-pack"));
  expect(toGit.map(({ url }) => url.split("/").at(-2))).toEqual(["handbook.git", "handbook.wiki.git"]);
  expect(quiet.requests.filter(({ url }) => url.includes("/info/refs"))).toEqual([]);
});

test("a check that ends between repository and wiki continues with the wiki", async () => {
  const snapshot = await backUp(await withWiki("interrupted"));
  const cursors: unknown[] = [];
  for await (const event of connector.verify(snapshot, WHOLE_CHECK)) {
    if (event.type === "companion") await runVerify(snapshot, only(event));
    if (event.type !== "checkpoint") continue;
    cursors.push(event.cursor);
    const cursor = event.cursor;
    const rest = await runVerify(snapshot, connector.verify(snapshot, { ...WHOLE_CHECK, cursor }));
    expect(rest.problems).toEqual([]);
    expect(rest.checkpoints).toMatchObject([{ prefix: "wiki/", packsDone: 1 }]);
    break;
  }
  expect(cursors).toMatchObject([{ prefix: "git/", packsDone: 1 }]);
  expect(await connector.cloneRoots(snapshot)).toHaveLength(2);
});

test("a wiki without pages costs one request and leaves nothing in the version", async () => {
  const repository = await world.makeRepository("no-pages");
  const by = session();
  const snapshot = await backUp(repository, null, by);
  expect(wikiRequests(by)).toEqual(["GET"]);
  expect(wikiPaths(snapshot)).toEqual([]);
  expect(snapshot.skipped).toEqual([]);
});

test("a disabled wiki is not requested, and disabling one is reported once", async () => {
  const repository = await withWiki("closing");
  const first = await backUp(repository);
  repository.hasWiki = false;
  const by = session();
  const second = await backUp(repository, first, by);
  expect(wikiRequests(by)).toEqual([]);
  expect(wikiPaths(second)).toEqual([]);
  expect(second.skipped).toMatchObject([{ path: "wiki", reason: expect.stringContaining("switched off") }]);
  expect((await backUp(repository, second)).skipped).toEqual([]);
});

test("an inaccessible wiki keeps its previous entries; a temporary fault fails the run", async () => {
  const repository = await withWiki("guarded");
  const first = await backUp(repository);
  const match = { path: "/guarded.wiki.git/" };
  world.simulator.faults.add({ match, action: { kind: "answer", status: 403, body: "No." } });
  const second = await backUp(repository, first);
  expect(wikiPaths(second).sort()).toEqual(wikiPaths(first).sort());
  expect(second.skipped).toMatchObject([{ path: "wiki", kind: "wiki" }]);
  world.simulator.faults.clear();
  world.simulator.faults.add({ match, action: { kind: "answer", status: 502, body: "" } });
  expect((await failureOf(backUp(repository, first))).kind).toBe("unavailable");
  world.simulator.faults.clear();
});

test("the ZIP has the wiki as a repository that git clones", async () => {
  const repository = await withWiki("library");
  const snapshot = await backUp(repository);
  await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  const folder = mkdtempSync(join(tmpdir(), "holdfast-wiki-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for await (const file of connector.exportFiles(snapshot, { name: "library" })) {
    const path = join(folder, file.path);
    mkdirSync(file.source === "directory" ? path : dirname(path), { recursive: true });
    if (file.source === "bytes") writeFileSync(path, file.bytes);
    if (file.source === "entry") writeFileSync(path, snapshot.entries.get(file.entry)!.bytes);
    if (file.source === "companion") {
      for await (const chunk of snapshot.readCompanion(file.entry, file.name)) writeFileSync(path, chunk);
    }
  }
  runGit(join(folder, "library.wiki.git"), ["fsck", "--strict", "--full"]);
  runGit(null, ["clone", "-q", join(folder, "library.wiki.git"), join(folder, "pages")]);
  expect(refsOf(join(folder, "library.wiki.git"))).toBe(refsOf(wikiOf(repository)));
  const roots = await connector.cloneRoots(snapshot);
  expect(roots.map(({ name }) => name)).toEqual(["library.git", "library.wiki.git"]);
});

test("a wiki restore needs a first page at GitHub; without one the report explains what to do", async () => {
  const original = await withWiki("atlas");
  const snapshot = await backUp(original);
  const target = asNew("atlas_restored");
  const { events, item } = await runRestore(connector.restore(session(), snapshot, target, memoryJournal()));
  expect(item.name).toBe("atlas_restored");
  expect(events).toContainEqual({
    type: "missing",
    what: "Wiki",
    reason: expect.stringMatching(/first page.*atlas_restored\/wiki.*git push --mirror/),
  });
  expect(events.filter((event) => event.type === "restored" && event.kind === "wiki")).toEqual([]);
});

test("a wiki is restored if its repository exists, even after a crash", async () => {
  const original = await withWiki("compass");
  const snapshot = await backUp(original);
  const { state } = world.simulator.world;
  const name = "compass_restored";
  const target = asNew(name);
  const journal = memoryJournal();
  journal.failAt = 5;
  const restored = () => state.repositories.find((one) => one.name === name && !one.isDeleted);
  const by = world.session({
    fetch: async (url, init) => {
      const repository = restored();
      // Somebody creates the first page during the restore.
      if (repository && url.includes(".wiki.git/info/refs") && !refsExist(repository)) {
        await writeWiki(world.simulator.world, repository, [{ Home: "First\n" }]);
      }
      return await fetch(url, init);
    },
  });
  await expect(runRestore(connector.restore(by, snapshot, target, journal))).rejects.toThrow("worker died");
  const { events } = await runRestore(connector.restore(by, snapshot, target, journal));
  expect(events).toContainEqual({ type: "restored", kind: "wiki", count: 1 });
  const copy = wikiOf(restored()!);
  expect(refsOf(copy)).toBe(refsOf(wikiOf(original)));
  runGit(copy, ["fsck", "--strict", "--full"]);
});

function refsExist(repository: Repository): boolean {
  try {
    return refsOf(wikiOf(repository)) !== "";
  } catch {
    return false;
  }
}

async function* only<T>(event: T): AsyncGenerator<T> {
  yield event;
}
