import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { PlatformItem } from "#connectors/contract/platform-connector.ts";
import { chainSchema } from "#connectors/toolkit/git/repository/git-chain.ts";
import { addCommits, addFiles, rewriteBranch } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { describePlatformConnector, failureOf } from "#tests/conformance/describe-platform-connector.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession } from "#tests/conformance/test-session.ts";
import { openGithubConformance } from "./conformance-world.ts";
import { connector } from "./connector.ts";
import { renameRepository } from "./simulator/repositories.ts";
import type { Repository } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld, refsOf } from "./test-world.ts";

describe("repositories", () =>
  describePlatformConnector(connector, { open: () => openGithubConformance("repository") }));
describe("gists", () => describePlatformConnector(connector, { open: () => openGithubConformance("gist") }));

let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

const session: GithubTestWorld["session"] = (more) => world.session(more);

async function itemOf(repository: Repository): Promise<PlatformItem> {
  return await connector.getItem(session(), { kind: "repository", ...world.reference(repository) });
}

async function backUp(item: PlatformItem, previous: MemorySnapshot | null = null, by = session()) {
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

async function restore(
  snapshot: MemorySnapshot,
  name: string,
  { answers = {}, journal = memoryJournal(), by = session() } = {},
) {
  return await runRestore(connector.restore(by, snapshot, asNew(name, { answers }), journal));
}

function repositoryNamed(name: string): Repository {
  const found = world.simulator.world.state.repositories.find(
    (repository) => repository.name === name && !repository.isDeleted,
  );
  if (found === undefined) throw new Error(`There is no repository ${name}`);
  return found;
}

/** HTTP methods of the git requests. */
function gitRequests({ requests }: TestSession): string[] {
  return requests.filter(({ url }) => url.includes(".git/")).map(({ method }) => method);
}

async function chainOf(snapshot: MemorySnapshot) {
  return chainSchema.parse(await snapshot.readRecord("git/chain.json"));
}

/** The refs that a push can restore. */
function pushableRefs(folder: string): string[] {
  return refsOf(folder)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("refs/pull/"));
}

test("a restored repository has the same refs, tips and settings, and passes git fsck", async () => {
  const original = await world.makeRepository("ledger");
  const snapshot = await backUp(await itemOf(original));
  const { item, events } = await restore(snapshot, "ledger_restored");
  const restored = repositoryNamed("ledger_restored");
  expect(pushableRefs(world.directory(restored))).toEqual(pushableRefs(world.directory(original)));
  runGit(world.directory(restored), ["fsck", "--strict", "--full"]);
  expect(restored).toMatchObject({
    visibility: "private",
    description: original.description,
    homepage: original.homepage,
    isActionsEnabled: false,
  });
  expect([...restored.topics].sort()).toEqual([...original.topics].sort());
  expect(item.webUrl).toContain("/nora-lindqvist/ledger_restored");
  const restoredKinds = events.filter((event) => event.type === "restored");
  expect(restoredKinds).toContainEqual({ type: "restored", kind: "branch", count: 2 });
  expect(restoredKinds).toContainEqual({ type: "restored", kind: "tag", count: 3 });
  const impossible = events.filter((event) => event.type === "impossible");
  expect(impossible.map((event) => event.what)).toEqual([
    "1 pull request ref (refs/pull/*/head)",
    "Rules, webhooks, deploy keys, secrets, variables and collaborators",
  ]);
});

test("pull requests are restored as branches on request", async () => {
  const original = await world.makeRepository("pulls");
  const snapshot = await backUp(await itemOf(original));
  await restore(snapshot, "pulls_restored", { answers: { pullRequestBranches: true } });
  const head = runGit(world.directory(original), ["rev-parse", "refs/pull/7/head"]);
  expect(runGit(world.directory(repositoryNamed("pulls_restored")), ["rev-parse", "refs/heads/pr/7"])).toBe(
    head,
  );
});

test("a first backup makes three git requests, an unchanged one makes one, and the wiki is checked", async () => {
  const repository = await world.makeRepository("quiet");
  const item = await itemOf(repository);
  const firstRun = session();
  const first = await backUp(item, null, firstRun);
  expect(gitRequests(firstRun)).toEqual(["GET", "POST", "POST", "GET"]);
  const secondRun = session();
  const second = await backUp(item, first, secondRun);
  expect(gitRequests(secondRun)).toEqual(["POST", "GET"]);
  expect(second.newStreams).toEqual([]);
});

test("changes are fetched as increments, including a force-push and a deleted branch", async () => {
  const repository = await world.makeRepository("moving");
  const folder = world.directory(repository);
  const item = await itemOf(repository);
  let snapshot = await backUp(item);
  await addCommits(folder, { count: 3 });
  snapshot = await backUp(item, snapshot);
  await rewriteBranch(folder, { back: 2 });
  runGit(folder, ["branch", "-D", "release/1.x"]);
  snapshot = await backUp(item, snapshot);
  const chain = await chainOf(snapshot);
  expect(chain.packs.map((pack) => pack.base)).toEqual([true, false, false]);
  expect(chain.packs.slice(1).every((pack) => pack.objects < 15)).toBe(true);
  await restore(snapshot, "moving_restored");
  const restored = world.directory(repositoryNamed("moving_restored"));
  expect(pushableRefs(restored)).toEqual(pushableRefs(folder));
  runGit(restored, ["fsck", "--strict", "--full"]);
});

test("a ref at a stored commit adds no pack and is not fetched", async () => {
  const repository = await world.makeRepository("covered");
  const item = await itemOf(repository);
  const first = await backUp(item);
  runGit(world.directory(repository), ["branch", "hotfix", "main~4"]);
  const second = await backUp(item, first);
  expect(second.newStreams).toEqual([]);
  expect((await chainOf(second)).coveredTips).toHaveLength(1);
  const third = session();
  await backUp(item, second, third);
  expect(gitRequests(third)).toEqual(["POST", "GET"]);
});

test("a chain of more than 30 packs starts over with a full pack", async () => {
  const repository = await world.makeRepository("busy");
  const item = await itemOf(repository);
  let snapshot = await backUp(item);
  for (let run = 0; run < 31; run++) {
    await addCommits(world.directory(repository), { count: 1 });
    snapshot = await backUp(item, snapshot);
  }
  const chain = await chainOf(snapshot);
  expect(chain.generation).toBe(2);
  expect(chain.packs).toHaveLength(1);
  expect([...snapshot.entries.keys()].filter((path) => path.endsWith(".pack"))).toEqual([
    chain.packs[0]?.path,
  ]);
  expect((await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK))).problems).toEqual([]);
});

test("an empty repository is backed up and restored empty", async () => {
  const repository = await world.makeRepository("to-be-emptied");
  for (const line of refsOf(world.directory(repository)).trim().split("\n")) {
    runGit(world.directory(repository), ["update-ref", "-d", line.split(" ")[0] ?? ""]);
  }
  const snapshot = await backUp(await itemOf(repository));
  expect(snapshot.newStreams).toEqual([]);
  const { item } = await restore(snapshot, "empty_restored");
  expect(refsOf(world.directory(repositoryNamed(item.name)))).toBe("");
});

test("a renamed repository is found by its id", async () => {
  const repository = await world.makeRepository("first-name");
  const item = await itemOf(repository);
  const first = await backUp(item);
  renameRepository(world.simulator.world, repository, "second-name");
  const renamed = await connector.getItem(session(), item);
  const second = await backUp(renamed, first);
  expect(await second.readRecord("repository.json")).toMatchObject({
    fullName: "nora-lindqvist/second-name",
  });
  expect(second.newStreams).toEqual([]);
});

test("refs that move between listing and fetch are listed again", async () => {
  const repository = await world.makeRepository("racing");
  const item = await itemOf(repository);
  world.simulator.faults.add({
    match: { method: "POST", path: "/racing.git/git-upload-pack" },
    skip: 1,
    action: {
      kind: "err-line",
      message: "upload-pack: not our ref 1234567890123456789012345678901234567890",
    },
  });
  const snapshot = await backUp(item);
  expect(snapshot.newStreams).toHaveLength(1);
  expect((await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK))).problems).toEqual([]);
});

test("a pack that is cut off or has a wrong trailer fails the run", async () => {
  const repository = await world.makeRepository("broken-line");
  const item = await itemOf(repository);
  const match = { method: "POST", path: "/broken-line.git/git-upload-pack" };
  for (const action of [
    { kind: "cut", afterBytes: 400 },
    { kind: "wrong-trailer" },
    { kind: "band3", afterBytes: 100 },
  ] as const) {
    world.simulator.faults.add({ match, skip: 1, action });
    const failure = await failureOf(backUp(item));
    expect(["unavailable", "malformed"]).toContain(failure.kind);
    world.simulator.faults.clear();
  }
});

test("verification writes the index of every pack, resumes from a checkpoint, and detects damage", async () => {
  const repository = await world.makeRepository("proved");
  const item = await itemOf(repository);
  const first = await backUp(item);
  await addCommits(world.directory(repository), { count: 2 });
  const snapshot = await backUp(item, first);
  const verified = await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  expect(verified.problems).toEqual([]);
  expect(verified.found["git-object"]).toBeGreaterThan(20);
  expect(verified.checkpoints).toMatchObject([{ packsDone: 1 }, { packsDone: 2 }]);
  const again = await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  expect(again.checkpoints).toEqual([]);
  expect(again.found).toEqual(verified.found);

  const damaged = await backUp(item);
  const path = damaged.newStreams[0] ?? "";
  const bytes = damaged.entries.get(path)?.bytes;
  if (bytes === undefined) throw new Error("the backup has no pack");
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  damaged.companions.clear();
  expect((await runVerify(damaged, connector.verify(damaged, WHOLE_CHECK))).problems).toHaveLength(1);
});

test("a version without its last pack is reported ref by ref", async () => {
  const repository = await world.makeRepository("incomplete");
  const item = await itemOf(repository);
  const first = await backUp(item);
  await addCommits(world.directory(repository), { count: 2 });
  const second = await backUp(item, first);
  const chain = await chainOf(second);
  const shorter = { ...chain, packs: chain.packs.slice(0, 1) };
  const entry = second.entries.get("git/chain.json");
  if (entry === undefined) throw new Error("the backup has no chain");
  entry.bytes = new TextEncoder().encode(JSON.stringify(shorter));
  const { problems } = await runVerify(second, connector.verify(second, WHOLE_CHECK));
  expect(problems.join()).toContain("refs/heads/main");
});

test("plain git clones the exported files", async () => {
  const repository = await world.makeRepository("portable");
  const item = await itemOf(repository);
  const snapshot = await backUp(item);
  expect(await connector.cloneRoots(snapshot)).toEqual([]);
  await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  const folder = mkdtempSync(join(tmpdir(), "holdfast-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for await (const file of connector.exportFiles(snapshot, { name: item.name })) {
    const path = join(folder, file.path);
    if (file.source === "directory") mkdirSync(path, { recursive: true });
    else {
      mkdirSync(dirname(path), { recursive: true });
      if (file.source === "bytes") writeFileSync(path, file.bytes);
      else if (file.source === "entry") writeFileSync(path, snapshot.entries.get(file.entry)?.bytes ?? "");
      else {
        for await (const chunk of snapshot.readCompanion(file.entry, file.name))
          writeFileSync(path, chunk, { flag: "a" });
      }
    }
  }
  runGit(join(folder, "portable.git"), ["fsck", "--strict", "--full"]);
  runGit(null, ["clone", "-q", join(folder, "portable.git"), join(folder, "clone")]);
  expect(runGit(join(folder, "clone"), ["rev-parse", "HEAD"])).toBe(
    runGit(world.directory(repository), ["rev-parse", "main"]),
  );
  expect(refsOf(join(folder, "portable.git"))).toBe(
    refsOf(world.directory(repository)).replace(/^refs\/pull\/7\/merge.*\n/m, ""),
  );
  const roots = await connector.cloneRoots(snapshot);
  expect(roots.map((root) => root.name)).toEqual(["portable.git"]);
});

test("after a lost response to the creation the repository is found again, not created twice", async () => {
  const original = await world.makeRepository("lost-reply");
  const snapshot = await backUp(await itemOf(original));
  world.simulator.faults.add({
    match: { method: "POST", path: "^/api/user/repos" },
    action: { kind: "drop", handled: true },
  });
  const { item } = await restore(snapshot, "lost-reply_restored");
  expect(item.name).toBe("lost-reply_restored");
  const alike = world.simulator.world.state.repositories.filter((one) => one.name.startsWith("lost-reply_"));
  expect(alike).toHaveLength(1);
});

test("a taken name gets the next free suffix, which is reported", async () => {
  const original = await world.makeRepository("twin");
  const snapshot = await backUp(await itemOf(original));
  const { item, events } = await restore(snapshot, "twin");
  expect(item.name).toBe("twin-2");
  expect(events).toContainEqual({
    type: "changed",
    what: "Name: twin-2 instead of twin",
    reason: "The name was already taken.",
  });
});

test("a restore into an organisation creates the repository there", async () => {
  const original = await world.makeRepository("to-the-company");
  const snapshot = await backUp(await itemOf(original));
  const places = await connector.listPlaces(session(), { page: 0, perPage: 10 });
  const place = places.items.find((one) => one.type === "Organization") ?? null;
  const target = asNew("to-the-company", { place });
  const { item } = await runRestore(connector.restore(session(), snapshot, target, memoryJournal()));
  expect(item.fullName).toBe("meridian-freight/to-the-company");
});

test("a missing workflow permission skips only what needs it and explains what to do", async () => {
  const original = await world.makeRepository("pipelines");
  const folder = world.directory(original);
  const blob = runGit(folder, ["rev-parse", "main:changes/1.md"]).trim();
  const index = { file: `.github/workflows/check.yml`, blob };
  const scratch = mkdtempSync(join(tmpdir(), "holdfast-workflow-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  runGit(null, ["clone", "-q", folder, join(scratch, "clone")]);
  const clone = join(scratch, "clone");
  runGit(clone, ["update-index", "--add", "--cacheinfo", `100644,${index.blob},${index.file}`]);
  runGit(clone, ["-c", "user.name=Nora", "-c", "user.email=n@example.test", "commit", "-q", "-m", "Check"]);
  runGit(clone, ["push", "-q", "origin", "HEAD:refs/heads/with-workflow"]);
  const snapshot = await backUp(await itemOf(original));
  world.simulator.world.settings.canWriteWorkflows = false;
  onTestFinished(() => {
    world.simulator.world.settings.canWriteWorkflows = true;
  });
  const journal = memoryJournal();
  // The pack is stored and the real refs are pushed; then the worker dies before it writes the journal.
  journal.failAt = 4;
  await expect(restore(snapshot, "pipelines_restored", { journal })).rejects.toThrow("The worker died.");
  const { events } = await restore(snapshot, "pipelines_restored", { journal });
  const restored = world.directory(repositoryNamed("pipelines_restored"));
  expect(pushableRefs(restored)).toEqual(
    pushableRefs(folder).filter((line) => !line.startsWith("refs/heads/with-workflow ")),
  );
  const refusal = events.find((event) => event.type === "missing" && event.what === "with-workflow");
  expect(refusal).toMatchObject({ reason: expect.stringMatching(/Workflows: write.*refusing to allow/) });
});

test("repositories of organisations and of the user are listed in their places", async () => {
  const places = await connector.listPlaces(session(), { page: 0, perPage: 10 });
  expect(places.items.map((place) => [place.name, place.type])).toEqual([
    ["nora-lindqvist", "User"],
    ["meridian-freight", "Organization"],
  ]);
  const query = { kind: "repository", name: null, page: 0, perPage: 100 };
  const own = await connector.listItems(session(), { ...query, place: places.items[0] ?? null });
  expect(own.items.every((item) => item.fullName.startsWith("nora-lindqvist/"))).toBe(true);
});

test("push protection skips only the branch with the secret and is reported with GitHub's message", async () => {
  const original = await world.makeRepository("leaky");
  const folder = world.directory(original);
  const scratch = mkdtempSync(join(tmpdir(), "holdfast-secret-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const clone = join(scratch, "clone");
  runGit(null, ["clone", "-q", folder, clone]);
  writeFileSync(join(clone, "env"), `AWS_KEY=${["AKIA", "A".repeat(16)].join("")}\n`);
  runGit(clone, ["add", "env"]);
  runGit(clone, ["-c", "user.name=Nora", "-c", "user.email=n@example.test", "commit", "-q", "-m", "Oops"]);
  runGit(clone, ["push", "-q", "origin", "HEAD:refs/heads/aaa-secret"]);
  const snapshot = await backUp(await itemOf(original));
  const by = session({
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      // The organisation's rule applies to the new repository as soon as it exists.
      if (init?.method === "POST" && url.endsWith("/user/repos")) {
        repositoryNamed("leaky_restored").hasPushProtection = true;
      }
      return answer;
    },
  });
  const { events } = await restore(snapshot, "leaky_restored", { by });
  expect(pushableRefs(world.directory(repositoryNamed("leaky_restored")))).toEqual(
    pushableRefs(folder).filter((line) => !line.startsWith("refs/heads/aaa-secret ")),
  );
  const refusal = events.find((event) => event.type === "missing" && event.what === "aaa-secret");
  expect(refusal).toMatchObject({ reason: expect.stringMatching(/push protection.*GitHub said/i) });
});

test("a file that GitHub takes no push of keeps back its branch alone, and the report says so", async () => {
  const original = await world.makeRepository("heavy");
  const folder = world.directory(original);
  const film = { path: "film.bin", base64: Buffer.alloc(50_000, 7).toString("base64") };
  runGit(folder, ["branch", "films", "main"]);
  await addFiles(folder, { files: [film], branch: "films" });
  const snapshot = await backUp(await itemOf(original));
  const { settings } = world.simulator.world;
  const { fileLimitBytes } = settings;
  onTestFinished(() => void Object.assign(settings, { fileLimitBytes }));
  Object.assign(settings, { fileLimitBytes: 40_000 });
  const { events } = await restore(snapshot, "heavy_restored");
  expect(pushableRefs(world.directory(repositoryNamed("heavy_restored")))).toEqual(
    pushableRefs(folder).filter((line) => !line.startsWith("refs/heads/films ")),
  );
  const refusal = events.find((event) => event.type === "missing" && event.what === "films");
  expect(refusal).toMatchObject({ reason: expect.stringMatching(/no files above 100 MB.*film\.bin is/s) });
});

test("a large repository is fetched in several packs, tag by tag, and resumes from a checkpoint", async () => {
  const repository = await world.makeRepository("monolith");
  const folder = world.directory(repository);
  for (const tag of ["v0.9", "v0.10", "v0.2"]) runGit(folder, ["tag", tag, `main~${tag === "v0.2" ? 5 : 4}`]);
  // The simulator reports the real size; GitHub may report this one.
  const item = { ...(await itemOf(repository)), sizeHintBytes: 1.6 * 1024 ** 3 };
  const whole = await backUp(item);
  const chain = await chainOf(whole);
  expect(chain.packs.length).toBeGreaterThan(2);
  expect(chain.packs.every((pack) => pack.base)).toBe(true);
  expect((await runVerify(whole, connector.verify(whole, WHOLE_CHECK))).problems).toEqual([]);
  expect(whole.checkpoints.length).toBeGreaterThan(0);

  const cursor = whole.checkpoints[0] ?? null;
  const rest = await takeSnapshot(connector.backUp(session(), { item, previous: null, cursor }));
  expect(rest.newStreams).toEqual(whole.newStreams.slice(1));
  await restore(whole, "monolith_restored");
  expect(pushableRefs(world.directory(repositoryNamed("monolith_restored")))).toEqual(pushableRefs(folder));
});

test("git data that GitHub hides is forbidden, not deleted", async () => {
  const repository = await world.makeRepository("half-hidden");
  const item = await itemOf(repository);
  world.simulator.faults.add({
    match: { path: "/half-hidden.git/" },
    action: { kind: "answer", status: 404, body: "" },
  });
  expect((await failureOf(backUp(item))).kind).toBe("forbidden");
});
