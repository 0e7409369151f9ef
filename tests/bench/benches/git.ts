import { spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { gitEnvironment } from "#connectors/toolkit/simulator/git-backend.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import {
  type Bench,
  check,
  doRun,
  type Finding,
  finding,
  type Ground,
  inWholeParts,
  protect,
  size,
  timed,
  withRuntime,
} from "../bench.ts";
import { editFiles, makeRepository, type RepositoryPlan } from "../repositories.ts";
import type { Runtime } from "../runtime.ts";
import { median, type Pair, ratioOf, spreadOf } from "../statistics.ts";
import type { World } from "../world.ts";

/** A repository that both sides take whole, and what is expected of us. */
type Whole = {
  name: string;
  /** In the table, after what was measured. */
  of: string;
  plan: RepositoryPlan;
  most: { backup: number; restore: number };
  /** Also compares the backup with receiving the pack to nowhere and putting as many bytes. */
  hasFloor: boolean;
};

/** P1 and P8: backup and restore of a whole repository, a large one and one in which fixed costs dominate. */
export const wholeRepository: Bench = {
  id: "P1 P8",
  run: async (ground) => {
    const { commits, refs } = ground.sizes;
    const large: Whole = {
      name: "whole",
      of: "",
      plan: { commits, refs, bulkBytes: 0, folders: 60, files: 80, fileBytes: 8_000, editBytes: 1_600 },
      most: { backup: 0.35, restore: 0.9 },
      hasFloor: true,
    };
    const small: Whole = {
      name: "small",
      of: " of a small repository",
      plan: { commits: 40, refs: 10, bulkBytes: 0, folders: 4, files: 6, fileBytes: 2_000, editBytes: 200 },
      most: { backup: 1, restore: 1 },
      hasFloor: false,
    };
    return withRuntime(ground, async (runtime, world) => [
      ...(await measureWhole(ground, runtime, world, large)),
      ...(await measureWhole(ground, runtime, world, small)),
    ]);
  },
};

async function measureWhole(
  ground: Ground,
  runtime: Runtime,
  world: World,
  { name, of, plan, most, hasFloor }: Whole,
): Promise<Finding[]> {
  const { rounds } = ground.sizes;
  ground.say(`making the repository ${name}`);
  const path = await makeRepository(ground.repositories, name, plan);
  const objects = Number(/in-pack: (\d+)/.exec(runGit(path, ["count-objects", "-v"]))?.[1]);
  const wanted = refsOf(path);
  const made: Pair[] = [];
  const floors: Pair[] = [];
  const givenBack: Pair[] = [];
  let bytes = 0;
  for (let round = 0; round <= rounds; round++) {
    const backup = await backUpOnce(ground, runtime, world, { name, wanted });
    const floor = hasFloor ? await floorOnce(ground, runtime, world, { name, wanted }) : null;
    const clone = await cloneOnce(ground, { name, wanted });
    const restored = await restoreOnce(runtime, world, backup, `restored-${round}`);
    const pushed = await pushOnce(ground, path, `pushed-${round}`, wanted);
    ground.say(
      `backup ${backup.milliseconds.toFixed(0)} ms, ${floor === null ? "" : `floor ${floor.toFixed(0)}, `}clone ${clone.toFixed(0)}; restore ${restored.toFixed(0)}, push ${pushed.toFixed(0)}`,
    );
    bytes = backup.bytesRead;
    if (round === 0) await proveRestored(ground, `restored-${round}`, wanted);
    else {
      made.push({ ours: backup.milliseconds, theirs: clone });
      givenBack.push({ ours: restored, theirs: pushed });
      if (floor !== null) floors.push({ ours: backup.milliseconds, theirs: floor });
    }
    for (const each of [`restored-${round}`, `pushed-${round}`])
      rmSync(join(ground.repositories, `${each}.git`), { recursive: true, force: true });
  }
  const sizes = `${size(bytes)}, ${objects} objects, ${wanted.size} refs, ${rounds} rounds`;
  const noteOf = (pairs: Pair[]) => {
    const [ours, theirs] = (["ours", "theirs"] as const).map((side) =>
      median(pairs.map((pair) => pair[side])),
    );
    return `${sizes}; ${(ours! / 1_000).toFixed(2)} s against ${(theirs! / 1_000).toFixed(2)} s`;
  };
  return [
    finding(
      {
        id: "P1",
        what: `backup job${of} / \`git clone --mirror\``,
        bound: hasFloor
          ? "the local bucket, which takes half a second of CPU for 47 MB whoever writes (see P4), and workerd's one " +
            "thread, on which receiving takes a quarter; git uses all cores"
          : "fourteen requests and the ledger, whatever the size",
        note: noteOf(made),
      },
      ratioOf(made),
      { atMost: most.backup },
    ),
    ...(hasFloor
      ? [
          finding(
            {
              id: "P1",
              what: "backup job / receiving its pack to nowhere, then a bare put of the same length",
              bound: "hash, cipher, thousands of refs as a record, and the ledger, on workerd's one thread",
              note: noteOf(floors),
            },
            ratioOf(floors),
            { atMost: 1.25 },
          ),
        ]
      : []),
    finding(
      {
        id: "P8",
        what: `restore job${of} / \`git push --mirror\``,
        bound: hasFloor
          ? "the pause of a second after each of five writes, which GitHub asks for, and the receiver, which checks the pack once and writes every ref, in both"
          : "the pause of a second after each of five writes, which GitHub asks for; the rest takes less than a second",
        note: noteOf(givenBack),
      },
      ratioOf(givenBack),
      { atMost: most.restore },
    ),
  ];
}

/** What no backup can avoid, in the same runtime: the pack arrives and as many bytes are put. @returns milliseconds */
async function floorOnce(
  ground: Ground,
  runtime: Runtime,
  world: World,
  { name, wanted }: Repository,
): Promise<number> {
  const url = `${ground.host.url}/bench/${name}.git/git-upload-pack`;
  const wants = [...new Set(wanted.values())];
  const [milliseconds] = await timed(async () => {
    const { bytes } = await runtime.call<{ bytes: number }>("/receive/bare", { url, wants });
    await runtime.call("/store/bare", { world, bytes: inWholeParts(bytes) });
  });
  return milliseconds;
}

/** A repository of the host and its refs. */
type Repository = { name: string; wanted: ReadonlyMap<string, string> };

type Version = {
  refs: { refs: { name: string; oid: string }[] };
  chain: { packs: { objects: number; bytes: number }[] };
};

/** A first full backup. Checks that its refs are those of the repository. */
async function backUpOnce(ground: Ground, runtime: Runtime, world: World, { name, wanted }: Repository) {
  const itemId = await protect(ground, runtime, world, name);
  const ended = await doRun(runtime, { world, kind: "backup", itemId });
  const version = await runtime.call<Version>("/version", { world, snapshotId: ended.snapshotId });
  check(
    isSame(new Map(version.refs.refs.map(({ name, oid }) => [name, oid])), wanted),
    "the refs of the version",
  );
  return { ...ended, itemId };
}

async function cloneOnce(ground: Ground, { name, wanted }: Repository): Promise<number> {
  const target = join(ground.folder, "clone.git");
  const [milliseconds] = await timed(() =>
    git(["clone", "-q", "--mirror", `${ground.host.url}/bench/${name}.git`, target]),
  );
  check(isSame(refsOf(target), wanted), "the refs of the clone");
  rmSync(target, { recursive: true, force: true });
  return milliseconds;
}

async function restoreOnce(
  runtime: Runtime,
  world: World,
  backup: { itemId: string; snapshotId: string },
  name: string,
): Promise<number> {
  const { itemId, snapshotId } = backup;
  const ended = await doRun(runtime, { world, kind: "restore", itemId, snapshotId, name });
  check(ended.report.item?.name === name, "the name of the restored repository");
  return ended.milliseconds;
}

async function pushOnce(
  ground: Ground,
  path: string,
  name: string,
  wanted: ReadonlyMap<string, string>,
): Promise<number> {
  const target = join(ground.repositories, `${name}.git`);
  runGit(null, ["init", "-q", "--bare", target]);
  const [milliseconds] = await timed(() =>
    git(["-C", path, "push", "-q", "--mirror", `${ground.host.url}/bench/${name}.git`]),
  );
  check(isSame(refsOf(target), wanted), "the refs that were pushed");
  return milliseconds;
}

/** Checks a restored repository with git. */
async function proveRestored(
  ground: Ground,
  name: string,
  wanted: ReadonlyMap<string, string>,
): Promise<void> {
  const path = join(ground.repositories, `${name}.git`);
  check(isSame(refsOf(path), wanted), "the refs that came back");
  await git(["-C", path, "fsck", "--full", "--strict"]);
}

/** P2: the cost of a change, and of no change. */
export const increments: Bench = {
  id: "P2",
  run: async (ground) => {
    const costs: Record<"received" | "stored" | "rows" | "calls" | "callsOfNext", number[]> = {
      received: [],
      stored: [],
      rows: [],
      calls: [],
      callsOfNext: [],
    };
    const findings: Finding[] = [];
    await withRuntime(ground, async (runtime, world) => {
      for (const bytes of ground.sizes.growth) {
        const name = `grows-${bytes}`;
        const plan = {
          ...{ commits: 200, refs: 20, bulkBytes: bytes },
          ...{ folders: 10, files: 10, fileBytes: 8_000, editBytes: 200 },
        };
        ground.say(`${size(bytes)}: making the repository`);
        const path = await makeRepository(ground.repositories, name, plan);
        const itemId = await protect(ground, runtime, world, name);
        await doRun(runtime, { world, kind: "backup", itemId });
        const clone = join(ground.folder, "clone.git");
        const address = `${ground.host.url}/bench/${name}.git`;
        await git(["clone", "-q", "--mirror", address, clone]);
        await editFiles(path, { commits: 100, editBytes: 200 });
        const haves = runGit(clone, ["for-each-ref", "--format=%(objectname)"]);
        const full = packOf(path, `${runGit(path, ["rev-parse", "main"]).trim()}\n${not(haves)}`, []);
        const thin = packOf(path, `${runGit(path, ["rev-parse", "main"]).trim()}\n${not(haves)}`, ["--thin"]);
        ground.host.takeSent();
        await git(["-C", clone, "fetch", "-q"]);
        const fetched = ground.host.takeSent();
        const changed = await doRun(runtime, { world, kind: "backup", itemId, isCounted: true });
        const ours = ground.host.takeSent();
        const idle = await doRun(runtime, { world, kind: "backup", itemId, isCounted: true });
        const { counts } = changed;
        costs.received.push(ours.bytes);
        costs.stored.push(counts.bytesStored);
        costs.rows.push(counts.rowsRead + counts.rowsWritten);
        costs.calls.push(counts.bucketReads + counts.bucketWrites);
        await editFiles(path, { commits: 100, editBytes: 200 });
        const next = await doRun(runtime, { world, kind: "backup", itemId, isCounted: true });
        costs.callsOfNext.push(next.counts.bucketReads + next.counts.bucketWrites);
        ground.say(
          `${size(bytes)}: received ${ours.bytes} (git fetch ${fetched.bytes}, its packs: thin ${thin}, whole ${full}), ` +
            `stored ${counts.bytesStored}, D1 rows ${counts.rowsRead}+${counts.rowsWritten}, R2 calls ${counts.bucketReads}+${counts.bucketWrites}; ` +
            `next R2 calls ${next.counts.bucketReads}+${next.counts.bucketWrites}; unchanged: ${idle.counts.requests} requests, ${idle.counts.bucketWrites} R2 writes, ${idle.counts.statements} statements`,
        );
        if (bytes === ground.sizes.growth[0])
          findings.push(...firstFindings({ ours, fetched, full, thin, idle }));
        rmSync(clone, { recursive: true, force: true });
        rmSync(path, { recursive: true, force: true });
      }
    });
    const sizes = ground.sizes.growth.map(size).join(", ");
    const bound =
      "the first backup of a large repository, which stores a point after its git data: its chain and its manifest are in two packs of records, and both are read";
    for (const [what, values] of Object.entries(costs)) {
      const names = {
        received: "the same 100 commits, bytes received",
        stored: "the same 100 commits, bytes stored",
        rows: "the same 100 commits, D1 rows",
        calls: "the same 100 commits, R2 calls",
        callsOfNext: "100 commits after these, R2 calls",
      };
      const grown = spreadOf(values);
      findings.push(
        finding(
          {
            id: "P2",
            what: `${names[what as keyof typeof costs]}: most / least`,
            note: `repositories of ${sizes}: ${values.join(", ")}`,
            ...(what === "calls" && { bound }),
          },
          { median: grown, least: grown, most: grown },
          { atMost: 1.05 },
        ),
      );
    }
    return findings;
  },
};

function firstFindings(measured: {
  ours: { bytes: number };
  fetched: { bytes: number };
  full: number;
  thin: number;
  idle: { counts: { requests: number; coreRequests: number; bucketWrites: number } };
}): Finding[] {
  const { ours, fetched, full, thin, idle } = measured;
  const one = (value: number) => ({ median: value, least: value, most: value });
  const beside = idle.counts.requests - idle.counts.coreRequests;
  return [
    finding(
      {
        id: "P2",
        what: "bytes of an increment / what git sends for the same wants and haves without `thin-pack`",
        note: `${ours.bytes} bytes with refs and framing; git's own pack ${full}`,
      },
      one(ours.bytes / full),
      { atMost: 1.05 },
    ),
    finding(
      {
        id: "P2",
        what: "bytes of an increment / `git fetch`",
        note:
          `${ours.bytes} against ${fetched.bytes} bytes; git fetch asks for a thin pack (${thin} bytes), whose deltas lean ` +
          "on objects that are not in it",
        bound:
          "the decision that every stored pack opens by itself, so that a version needs no other to be read",
      },
      one(ours.bytes / fetched.bytes),
      { atMost: 1.05 },
    ),
    finding(
      {
        id: "P2",
        what: "requests for git and its repository, of a backup without a change",
        note: `one to REST, one to git; ${beside} more, for GitHub's feeds of what it keeps beside git`,
      },
      one(idle.counts.coreRequests),
      { atMost: 2 },
    ),
    finding(
      {
        id: "P2",
        what: "all requests of a backup without a change",
        note: "of an account with one repository; two of them draw on a quota, one of REST and one of GraphQL",
      },
      one(idle.counts.requests),
      { atMost: 4 },
    ),
    finding(
      { id: "P2", what: "objects written by a backup without a change", note: "puts, parts and deletes" },
      one(idle.counts.bucketWrites),
      { atMost: 0 },
    ),
  ];
}

/** Length of git's own pack for the given wants and haves. */
function packOf(path: string, revisions: string, flags: string[]): number {
  const args = ["-C", path, "pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q", ...flags];
  const { status, stdout } = spawnSync("git", args, {
    env: gitEnvironment(),
    input: revisions,
    maxBuffer: 1 << 30,
  });
  check(status === 0, "git's own pack");
  return stdout.length;
}

const not = (oids: string) => [...new Set(oids.trim().split("\n"))].map((oid) => `^${oid}\n`).join("");

/** The refs of a repository, with the objects that they name. */
export function refsOf(path: string): Map<string, string> {
  const lines = runGit(path, ["for-each-ref", "--format=%(refname) %(objectname)"]).trim().split("\n");
  return new Map(lines.map((line) => line.split(" ") as [string, string]));
}

/** Whether two repositories have the same refs. */
export function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, oid]) => b.get(name) === oid);
}

/** Runs git asynchronously, because this process also serves the git host. @throws Error with git's output */
export async function git(args: readonly string[]): Promise<void> {
  const child = spawn("git", args, { env: gitEnvironment(), stdio: ["ignore", "ignore", "pipe"] });
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words += chunk.toString();
  });
  const code = await new Promise((settle) => child.once("close", settle));
  if (code !== 0) throw new Error(`git ${args.join(" ")} failed: ${words}`);
}
