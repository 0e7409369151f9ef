import { createHash } from "node:crypto";
import { join } from "node:path";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";

/** What a repository is made of; equal plans give equal repositories. */
export type RepositoryPlan = {
  commits: number;
  /** Folders and, in each, files that the commits rewrite in turn. */
  folders: number;
  files: number;
  /** Length of a written file; half of it can be compressed away. */
  fileBytes: number;
  /** Branches and tags beside the main branch. */
  refs: number;
  /** Bytes of a first commit that nothing changes afterwards, in blobs of 1 MiB that cannot be compressed. */
  bulkBytes: number;
};

const MIB = 1_048_576;

/** Makes a bare repository, packed as a server keeps it (with a bitmap). */
export async function makeRepository(root: string, name: string, plan: RepositoryPlan): Promise<string> {
  const path = join(root, `${name}.git`);
  runGit(null, ["init", "-q", "--bare", "-b", "main", path]);
  // Blobs of bulk are noise: looking for deltas among them would only take time.
  runGit(path, ["config", "core.bigFileThreshold", "512k"]);
  if (plan.bulkBytes > 0) runGit(path, ["config", "core.compression", "0"]);
  await importHistory(path, history(plan));
  runGit(path, ["repack", "-adbq", "--window=5", "--depth=20"]);
  runGit(path, ["pack-refs", "--all"]);
  return path;
}

/** Files that an edit goes around in, and the bytes of each that it changes. */
const EDITED_FILES = 20;
const EDITED_BYTES = 200;

/** Adds commits on the main branch that each change a few lines of a file, as people do. */
export async function editFiles(path: string, commits: number): Promise<void> {
  const from = runGit(path, ["rev-parse", "refs/heads/main"]).trim();
  const names = runGit(path, ["ls-tree", "-r", "--name-only", from, "src/"])
    .trim()
    .split("\n")
    .slice(0, EDITED_FILES);
  const texts = new Map(names.map((name) => [name, runGit(path, ["cat-file", "blob", `${from}:${name}`])]));
  function* edits(): Generator<string> {
    for (let i = 0; i < commits; i++) {
      const name = names[i % names.length]!;
      const old = texts.get(name)!;
      const at = (i * 997) % (old.length - EDITED_BYTES);
      const edit = bytesOf(`edit ${i}`, EDITED_BYTES / 2).toString("hex");
      const text = old.slice(0, at) + edit + old.slice(at + EDITED_BYTES);
      texts.set(name, text);
      yield commitHead(100_000 + i, i === 0 ? from : null);
      yield `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`;
    }
  }
  await importHistory(path, edits());
}

function* history(plan: RepositoryPlan): Generator<string | Uint8Array> {
  const bulk = Math.ceil(plan.bulkBytes / MIB);
  if (bulk > 0) {
    yield commitHead(0, null);
    for (let i = 0; i < bulk; i++) {
      yield `M 100644 inline bulk/${String(i).padStart(5, "0")}\ndata ${MIB}\n`;
      yield bytesOf(`bulk ${i}`, MIB);
      yield "\n";
    }
  }
  yield* changes(plan, "base", bulk > 0 ? "refs/heads/main" : null);
}

function* changes(plan: RepositoryPlan, seed: string, from: string | null): Generator<string | Uint8Array> {
  const every = plan.refs > 0 ? Math.max(1, Math.floor(plan.commits / plan.refs)) : 0;
  let refs = 0;
  for (let i = 0; i < plan.commits; i++) {
    // Inside one stream fast-import knows the branch; only the first commit must be told where it goes on.
    yield commitHead(i + 1, i === 0 && from !== "refs/heads/main" ? from : null);
    const file = `src/${i % plan.folders}/${Math.floor(i / plan.folders) % plan.files}.txt`;
    const text = bytesOf(`${seed} ${i}`, plan.fileBytes / 2).toString("hex");
    yield `M 100644 inline ${file}\ndata ${text.length}\n${text}\n`;
    if (every > 0 && i % every === 0 && refs < plan.refs) {
      const kind = refs % 2 === 0 ? "heads/topic" : "tags/v";
      yield `reset refs/${kind}-${refs}\nfrom refs/heads/main\n\n`;
      refs++;
    }
  }
}

function commitHead(number: number, from: string | null): string {
  const who = `Bench <bench@example.test> ${1_700_000_000 + number * 60} +0000`;
  const message = `Change ${number}`;
  return `commit refs/heads/main\ncommitter ${who}\ndata ${message.length}\n${message}\n${from ? `from ${from}\n` : ""}`;
}

/** Noise that follows from a text. */
function bytesOf(seed: string, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < length; at += 64) blocks.push(createHash("sha512").update(`${seed} ${at}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}
