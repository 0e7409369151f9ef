import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
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
import { type GithubTestWorld, openGithubWorld, refsOf } from "./test-world.ts";

let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

const session = () => world.session();

async function backUp(repository: Repository) {
  const by = session();
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  const snapshot = await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }), null);
  const { problems, unproven } = await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  expect([problems, unproven]).toEqual([[], []]);
  return snapshot;
}

/** Unpacks the ZIP's files and returns the folder of the repository. */
async function unpack(snapshot: MemorySnapshot): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-odd-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for await (const file of connector.exportFiles(snapshot, { name: "odd" })) {
    const path = join(folder, file.path);
    mkdirSync(file.source === "directory" ? path : dirname(path), { recursive: true });
    if (file.source === "bytes") writeFileSync(path, file.bytes);
    if (file.source === "entry") writeFileSync(path, snapshot.entries.get(file.entry)!.bytes);
    if (file.source === "companion") {
      for await (const chunk of snapshot.readCompanion(file.entry, file.name))
        writeFileSync(path, chunk, { flag: "a" });
    }
  }
  return join(folder, "odd.git");
}

async function restore(snapshot: MemorySnapshot, name: string) {
  const target = asNew(name);
  const { events } = await runRestore(connector.restore(session(), snapshot, target, memoryJournal()));
  const restored = world.simulator.world.state.repositories.find((repository) => repository.name === name);
  return { events, folder: world.directory(restored!) };
}

const NORA = ["-c", "user.name=Nora Lindqvist", "-c", "user.email=nora@meridian.example"];

/** Creates a commit on top of HEAD that no ref points to. */
function looseCommit(folder: string, message: string): string {
  return runGit(folder, [...NORA, "commit-tree", "-p", "HEAD", "-m", message, "HEAD^{tree}"]).trim();
}

test("refs in any folder are kept and restored, except the platform's own and those that servers refuse", async () => {
  const original = await world.makeRepository("odd_refs");
  const folder = world.directory(original);
  const pushed = [
    "refs/bugs/4711",
    "refs/changes/34/1234/1",
    "refs/remotes/origin/main",
    "refs/tags/__holdfast_restore",
  ];
  for (const ref of [...pushed, "refs/stash", "refs/pull/8/merge"]) {
    runGit(folder, ["update-ref", ref, looseCommit(folder, ref)]);
  }
  const snapshot = await backUp(original);
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  const kept = lines(refsOf(folder)).filter((line) => !line.includes("/merge "));
  expect(kept.join()).toContain("refs/stash");
  const unpacked = await unpack(snapshot);
  expect(lines(refsOf(unpacked))).toEqual(kept);
  runGit(unpacked, ["fsck", "--strict", "--full"]);
  const { events, folder: restored } = await restore(snapshot, "odd_refs_again");
  const pushable = kept.filter((line) => !/^refs\/(pull\/|stash )/.test(line));
  expect(lines(refsOf(restored))).toEqual(pushable);
  expect(events).toContainEqual({ type: "restored", kind: "other-ref", count: 3 });
  expect(events.find((event) => event.type === "missing" && event.what === "refs/stash")).toMatchObject({
    reason: expect.stringContaining("no refs that lie directly below refs/"),
  });
});

test("a commit reachable only from a detached HEAD is in the version, and the restore reports it", async () => {
  const original = await world.makeRepository("lone_head");
  const folder = world.directory(original);
  const commit = looseCommit(folder, "nothing else leads here");
  runGit(folder, ["update-ref", "--no-deref", "HEAD", commit]);
  const snapshot = await backUp(original);
  const unpacked = await unpack(snapshot);
  expect(runGit(unpacked, ["rev-parse", "HEAD"]).trim()).toBe(commit);
  runGit(unpacked, ["fsck", "--strict", "--full"]);
  const { events } = await restore(snapshot, "lone_head_again");
  expect(events.find((event) => event.type === "changed" && event.what === "HEAD")).toMatchObject({
    reason: expect.stringContaining(`at the commit ${commit}`),
  });
});

test("a branch whose name is not UTF-8 is kept under a name that spells out its bytes", async () => {
  const original = await world.makeRepository("latin_names");
  const folder = world.directory(original);
  const commit = looseCommit(folder, "at the branch größe");
  const packed = runGit(folder, ["for-each-ref", "--format=%(objectname) %(refname)"]);
  const line = Buffer.from(`${commit} refs/heads/gr\u00f6\u00dfe\n`, "latin1");
  rmSync(join(folder, "refs"), { recursive: true });
  mkdirSync(join(folder, "refs"));
  writeFileSync(join(folder, "packed-refs"), Buffer.concat([Buffer.from(packed), line]));
  const snapshot = await backUp(original);
  expect(snapshot.skipped).toContainEqual({
    type: "skipped",
    path: "git/refs/heads/gr%F6%DFe",
    kind: "git-ref",
    reason: expect.stringContaining("kept, under the name 'refs/heads/gr%F6%DFe'"),
  });
  const { folder: restored } = await restore(snapshot, "latin_names_again");
  expect(runGit(restored, ["rev-parse", "refs/heads/gr%F6%DFe"]).trim()).toBe(commit);
});

test("a branch whose commit GitHub has lost is named in the error", async () => {
  const original = await world.makeRepository("lost_commit");
  const folder = world.directory(original);
  const lost = "1".repeat(40);
  writeFileSync(join(folder, "refs/heads/broken"), `${lost}\n`);
  await expect(backUp(original)).rejects.toMatchObject({
    kind: "unsupported",
    message: expect.stringContaining("'refs/heads/broken' points to an object that is not there"),
  });
});

test("a history that GitHub's checks refuse is reported with what to do instead", async () => {
  const original = await world.makeRepository("old_tools");
  const folder = world.directory(original);
  const tree = runGit(folder, ["rev-parse", "HEAD^{tree}"]).trim();
  const text = `tree ${tree}\nauthor Nora<nora@meridian.example> 1 +0000\ncommitter N <n> 1 +0000\n\nold\n`;
  writeFileSync(join(folder, "old-commit"), text);
  const commit = runGit(folder, ["hash-object", "-t", "commit", "-w", "--literally", "old-commit"]).trim();
  runGit(folder, ["update-ref", "refs/heads/old", commit]);
  const { events } = await restore(await backUp(original), "old_tools_again");
  const told = events.find((event) => event.type === "missing" && event.what.includes("old"));
  expect(told).toMatchObject({ reason: expect.stringMatching(/GitHub refuses in a push.*missingSpace/) });
});
