import { expect, test } from "vitest";
import { partPathOf } from "#connectors/contract/part-path.ts";
import { addCommits, addFiles } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { createdBy, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { type MemorySnapshot, runVerify, WHOLE_CHECK } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { fullName, gitDirectory } from "../simulator/repositories.ts";
import type { Repository } from "../simulator/state.ts";
import { openWorld, versionOf } from "./restore-test-world.ts";

type Open = Awaited<ReturnType<typeof openWorld>>;

/** Larger than what is compressed in memory. */
const LARGE = Buffer.alloc(1_500_000, "0123456789abcdef");
const text = (path: string, content: string | Buffer) => ({
  path,
  base64: Buffer.from(content).toString("base64"),
});

/** A repository with folders, a large file and a name beyond ASCII, and its checked version. */
async function makeSource(open: Open): Promise<{ source: Repository; snapshot: MemorySnapshot }> {
  const source = await open.world.makeRepository("depot");
  const files = [
    ...[text("src/app.ts", "old app"), text("src/deep/größe.txt", "old size"), text("src/large.bin", LARGE)],
    ...[text("src.txt", "beside"), text("src-x/a", "a"), text("docs/read.md", "read")],
  ];
  await addFiles(open.world.directory(source), { files });
  const snapshot = await versionOf(open, source);
  await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  return { source, snapshot };
}

function orderOf({ world }: Open, repository: Repository, path: string) {
  const item = { ...world.reference(repository), name: repository.name };
  const part = partPathOf({ type: "file", tree: "git", ref: "refs/heads/main", path });
  return { target: { kind: "existing", item }, part, answers: {} } as const;
}

const git = ({ world }: Open, repository: Repository, ...args: string[]) =>
  runGit(gitDirectory(world.simulator.world, repository), args).trim();
const branchesOf = (open: Open, repository: Repository) =>
  git(open, repository, "for-each-ref", "--format=%(refname) %(objectname)").split("\n");

test("a folder comes back on a new branch exactly as in the version, and no other branch changes", async () => {
  const open = await openWorld();
  const { source, snapshot } = await makeSource(open);
  const then = git(open, source, "rev-parse", "main");
  const directory = open.world.directory(source);
  await addFiles(directory, {
    files: [text("src/app.ts", "new app"), text("src/added.ts", "added"), text("docs/new.md", "new")],
    deleted: ["src/deep/größe.txt", "src/large.bin"],
  });
  const before = branchesOf(open, source);
  const order = orderOf(open, source, "src");
  const plan = await connector.planRestore({ accountName: open.world.accountName }, snapshot, order);
  const { item, events } = await runRestore(
    connector.restore(open.session(), snapshot, order, memoryJournal()),
  );
  const [made, ...more] = branchesOf(open, source).filter((line) => !before.includes(line));
  expect(more).toEqual([]);
  expect(branchesOf(open, source)).toEqual(expect.arrayContaining(before));
  expect(made).toMatch(/^refs\/heads\/holdfast\/restore-\d{4}-\d\d-\d\d-[0-9a-f]{8} /);
  expect(item.webUrl).toBe(`${open.world.simulator.webUrl}/${fullName(source)}/tree/${item.name}`);
  const branch = item.name;
  expect(git(open, source, "rev-parse", `${branch}^`)).toBe(git(open, source, "rev-parse", "main"));
  expect(git(open, source, "rev-parse", `${branch}:src`)).toBe(git(open, source, "rev-parse", `${then}:src`));
  const changed = git(open, source, "-c", "core.quotePath=false", "diff", "--name-status", "main", branch);
  expect(changed.split("\n")).toEqual([
    ...["D\tsrc/added.ts", "M\tsrc/app.ts", "A\tsrc/deep/größe.txt", "A\tsrc/large.bin"],
  ]);
  expect(git(open, source, "log", "-1", "--format=%s", branch)).toBe("Restore src [skip ci]");
  git(open, source, "fsck", "--strict");
  expect(promisedBy(plan)).toEqual(createdBy(events));
});

test("in another repository a file is put where it was, through folders that are missing there", async () => {
  const open = await openWorld();
  const { snapshot } = await makeSource(open);
  const other = await open.world.makeRepository("other");
  const order = orderOf(open, other, "src/deep/größe.txt");
  const { item } = await runRestore(connector.restore(open.session(), snapshot, order, memoryJournal()));
  expect(git(open, other, "show", `${item.name}:src/deep/größe.txt`)).toBe("old size");
  const changed = git(open, other, "-c", "core.quotePath=false", "diff", "--name-status", "main", item.name);
  expect(changed).toBe("A\tsrc/deep/größe.txt");
});

test("a restore that loses the response to any call makes one branch", async () => {
  const open = await openWorld();
  const { source, snapshot } = await makeSource(open);
  await addFiles(open.world.directory(source), { files: [], deleted: ["src/app.ts"] });
  const order = orderOf(open, source, "src/app.ts");
  const counting = open.session();
  await runRestore(connector.restore(counting, snapshot, order, memoryJournal()));
  for (let lost = 1; lost <= counting.requests.length; lost++) {
    const before = branchesOf(open, source);
    const journal = memoryJournal();
    await runRestore(connector.restore(dyingAt(open, lost), snapshot, order, journal)).catch(() => undefined);
    // The default branch goes on meanwhile.
    await addCommits(open.world.directory(source), { count: 1 });
    const { item } = await runRestore(connector.restore(open.session(), snapshot, order, journal));
    const names = branchesOf(open, source).filter(
      (line) => !before.includes(line) && !line.includes("heads/main"),
    );
    expect(names, `lost the response to call ${lost}`).toHaveLength(1);
    expect(git(open, source, "show", `${item.name}:src/app.ts`)).toBe("old app");
  }
}, 120_000);

test("what has not changed and what is missing are told in words, and nothing is made", async () => {
  const open = await openWorld();
  const { source, snapshot } = await makeSource(open);
  const refuse = async (path: string, message: RegExp) => {
    const run = runRestore(
      connector.restore(open.session(), snapshot, orderOf(open, source, path), memoryJournal()),
    );
    await expect(run).rejects.toMatchObject({ kind: "unsupported", message: expect.stringMatching(message) });
  };
  const before = branchesOf(open, source);
  await refuse("src/app.ts", /exactly as in this version/);
  await refuse("src/none.ts", /no file or folder/);
  expect(branchesOf(open, source)).toEqual(before);
});

/** A session whose n-th response is lost after GitHub has handled the call. */
function dyingAt({ session }: Open, point: number): TestSession {
  let sent = 0;
  return session(async (url, init) => {
    const answer = await fetch(url, init);
    if (++sent < point) return answer;
    await answer.body?.cancel();
    throw new TypeError("The worker died.");
  });
}
