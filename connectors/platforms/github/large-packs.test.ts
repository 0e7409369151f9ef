import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { VerifyOrder } from "#connectors/contract/platform-connector.ts";
import { verifyRepositories } from "#connectors/toolkit/git/repository/verify-repositories.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { verify } from "./read/verify.ts";
import type { Repository } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld, refsOf } from "./test-world.ts";

let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

const session = () => world.session();

async function backUp(repository: Repository, previous: MemorySnapshot | null = null) {
  const by = session();
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

/** Too little memory for the tables of any pack. */
const TINY = { platformName: "GitHub", prefixes: ["git/"], limits: { memoryBytes: 8 * 1024 * 1024 } };

async function unpack(snapshot: MemorySnapshot, name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-large-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for await (const file of connector.exportFiles(snapshot, { name })) {
    const path = join(folder, file.path);
    mkdirSync(file.source === "directory" ? path : dirname(path), { recursive: true });
    if (file.source === "bytes") writeFileSync(path, file.bytes);
    if (file.source === "entry") writeFileSync(path, snapshot.entries.get(file.entry)!.bytes);
    if (file.source === "companion") {
      for await (const chunk of snapshot.readCompanion(file.entry, file.name))
        writeFileSync(path, chunk, { flag: "a" });
    }
  }
  return folder;
}

test("a pack too large to index gives a version whose ZIP indexes itself and whose restore is complete", async () => {
  const repository = await world.makeRepository("enormous");
  const first = await backUp(repository);
  const checked = await runVerify(first, verifyRepositories(first, WHOLE_CHECK, TINY));
  expect(checked.problems).toEqual([]);
  expect(checked.unproven.join()).toContain("too large to be indexed here");
  expect(await connector.cloneRoots(first)).toEqual([]);

  const folder = await unpack(first, "enormous");
  expect(() => runGit(null, ["clone", "-q", join(folder, "enormous.git"), join(folder, "early")])).toThrow();
  execFileSync("sh", [join(folder, "restore.sh")], { stdio: "pipe" });
  runGit(null, ["clone", "-q", join(folder, "enormous.git"), join(folder, "clone")]);
  const kept = refsOf(world.directory(repository)).replace(/^refs\/pull\/7\/merge.*\n/m, "");
  expect(refsOf(join(folder, "enormous.git"))).toBe(kept);

  const target = asNew("enormous_again");
  const { item } = await runRestore(connector.restore(session(), first, target, memoryJournal()));
  expect(item.name).toBe("enormous_again");
});

test("a later pack is verified as far as possible, and with enough memory completely", async () => {
  const repository = await world.makeRepository("growing");
  const first = await backUp(repository);
  await addCommits(world.directory(repository), { count: 2 });
  const second = await backUp(repository, first);
  // An earlier slice found the first pack too large.
  const cursor = {
    prefix: "git/",
    packsDone: 1,
    unproven: [{ path: "git/packs/0001-0001.pack", message: "too large" }],
    isBegun: false,
  };
  const resumed = await runVerify(second, verify(second, { ...WHOLE_CHECK, cursor }));
  expect(resumed.unproven).toEqual(["git/packs/0001-0001.pack: too large"]);
  expect(resumed.problems).toEqual([]);
  expect(await connector.cloneRoots(second)).toEqual([]);
  const whole = await runVerify(second, verify(second, WHOLE_CHECK));
  expect([whole.problems, whole.unproven]).toEqual([[], []]);
  expect(await connector.cloneRoots(second)).toHaveLength(1);
});

test("a check interrupted or crashed at every step gives the result of an uninterrupted one", async () => {
  const repository = await world.makeRepository("sliced");
  await addCommits(world.directory(repository), { count: 120 });
  const snapshot = await backUp(repository);
  const expected = await runVerify(
    await backUp(repository),
    connector.verify(await backUp(repository), WHOLE_CHECK),
  );
  let cursor: Json = null;
  let scratch: Uint8Array | null = null;
  let begun = 0;
  for (let slice = 0; ; slice++) {
    expect(slice).toBeLessThan(200);
    const stored: Uint8Array | null = scratch;
    const order: VerifyOrder = {
      cursor,
      readScratch: () => (stored === null ? null : pieces(stored)),
      isOver: () => true,
    };
    let isOver = false;
    // Every third slice dies before its checkpoint, so its scratch data is lost.
    const dies = slice % 3 === 2;
    let fresh: Uint8Array | null = scratch;
    for await (const event of verify(snapshot, order)) {
      if (event.type === "problem" || event.type === "unproven") throw new Error(event.message);
      if (event.type === "scratch") fresh = await bytesOf(event.write);
      if (event.type === "companion") await runVerify(snapshot, only(event));
      if (event.type === "found") isOver = true;
      if (event.type !== "checkpoint") continue;
      if (!dies) [cursor, scratch] = [event.cursor, fresh];
      if (!dies && (event.cursor as { isBegun: boolean }).isBegun) begun++;
      break;
    }
    if (isOver) break;
  }
  expect(begun).toBeGreaterThanOrEqual(2);
  const again = await runVerify(snapshot, verify(snapshot, WHOLE_CHECK));
  expect(again.found).toEqual(expected.found);
  expect(await connector.cloneRoots(snapshot)).toHaveLength(1);
});

test.each([
  [1, "1 object is missing"],
  [2, "2 objects are missing"],
])("a pack that lacks %i of its history's objects is a problem that is counted", async (count, words) => {
  const repository = await world.makeRepository(`holes-${count}`);
  const snapshot = await backUp(repository);
  const folder = world.directory(repository);
  const git = (args: string[], input = "") => execFileSync("git", ["-C", folder, ...args], { input });
  const objects = git(["cat-file", "--batch-all-objects", "--batch-check"]).toString().trim().split("\n");
  const lost = objects.filter((line) => line.includes(" blob ")).slice(0, count);
  const kept = objects.filter((line) => !lost.includes(line)).map((line) => line.split(" ")[0]);
  const pack = git(["pack-objects", "--stdout", "-q"], kept.join("\n"));
  const replace = (path: string, bytes: Uint8Array) =>
    snapshot.entries.set(path, {
      info: { ...snapshot.entries.get(path)!.info, sizeBytes: bytes.length },
      bytes,
    });
  const chain = (await snapshot.readRecord("git/chain.json")) as { packs: { path: string; hash: string }[] };
  const [stored] = chain.packs;
  replace(stored!.path, pack);
  const foreign = await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  expect(foreign.problems).toEqual([`${stored!.path}: This git pack is another one than was fetched.`]);
  stored!.hash = pack.subarray(-20).toString("hex");
  replace("git/chain.json", Buffer.from(JSON.stringify(chain)));
  const { problems } = await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  const told = problems.find((problem) => problem.includes(`${words} that the history leans on, e.g. `));
  expect(lost.map((line) => line.slice(0, 16))).toContain(told?.match(/e\.g\. (\w+)\.$/)?.[1]);
});

async function* only<T>(event: T): AsyncGenerator<T> {
  yield event;
}

/** Yields the bytes in small chunks of their own memory, as a vault does. */
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.slice(at, at + 1000);
}

async function bytesOf(
  write: (sink: { write(chunk: Uint8Array): void }) => Promise<void>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await write({ write: (chunk) => void chunks.push(chunk.slice()) });
  return concatBytes(...chunks);
}
