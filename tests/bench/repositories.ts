import { createHash } from "node:crypto";
import { join } from "node:path";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";

/** The content of a repository. Equal plans give equal repositories. */
export type RepositoryPlan = {
  /** Commits that each change a part of one file. */
  commits: number;
  folders: number;
  /** Files in each folder. */
  files: number;
  /** Bytes of a file, half of them compressible, and bytes that a commit changes. */
  fileBytes: number;
  editBytes: number;
  /** Branches and tags beside the main branch. */
  refs: number;
  /** Bytes in incompressible blobs of 1 MiB that never change. */
  bulkBytes: number;
};

const MIB = 1_048_576;

/** Creates a bare repository, packed as on a server: with deltas and a bitmap. */
export async function makeRepository(root: string, name: string, plan: RepositoryPlan): Promise<string> {
  const path = join(root, `${name}.git`);
  runGit(null, ["init", "-q", "--bare", "-b", "main", path]);
  // Bulk blobs are noise: searching deltas among them would only take time.
  runGit(path, ["config", "core.bigFileThreshold", "512k"]);
  if (plan.bulkBytes > 0) runGit(path, ["config", "core.compression", "0"]);
  await importHistory(path, history(plan));
  runGit(path, ["repack", "-adbfq"]);
  runGit(path, ["pack-refs", "--all"]);
  return path;
}

/** Adds commits on the main branch that edit its first files in turn. */
export async function editFiles(path: string, plan: { commits: number; editBytes: number }): Promise<void> {
  const from = runGit(path, ["rev-parse", "refs/heads/main"]).trim();
  const names = runGit(path, ["ls-tree", "-r", "--name-only", from, "src/"]).trim().split("\n");
  const texts = new Map(
    names.slice(0, EDITED_FILES).map((name) => [name, runGit(path, ["cat-file", "blob", `${from}:${name}`])]),
  );
  await importHistory(path, edits(texts, { ...plan, refs: 0, seed: "later", from }));
}

const EDITED_FILES = 20;

/** One commit with all files, then the edits. */
function* history(plan: RepositoryPlan): Generator<string | Uint8Array> {
  const texts = new Map<string, string>();
  yield commitHead(0, null);
  for (let i = 0; i * MIB < plan.bulkBytes; i++) {
    yield `M 100644 inline bulk/${String(i).padStart(5, "0")}\ndata ${MIB}\n`;
    yield bytesOf(`bulk ${i}`, MIB);
    yield "\n";
  }
  for (let i = 0; i < plan.folders * plan.files; i++) {
    const name = `src/${i % plan.folders}/${Math.floor(i / plan.folders)}.txt`;
    texts.set(name, bytesOf(`file ${i}`, plan.fileBytes / 2).toString("hex"));
    yield modify(name, texts.get(name)!);
  }
  yield* edits(texts, { ...plan, seed: "edit", from: null });
}

function* edits(
  texts: Map<string, string>,
  plan: { commits: number; editBytes: number; refs: number; seed: string; from: string | null },
): Generator<string> {
  const names = [...texts.keys()];
  for (let i = 0; i < plan.commits; i++) {
    const name = names[i % names.length]!;
    const old = texts.get(name)!;
    const at = (i * 997) % (old.length - plan.editBytes);
    const edit = bytesOf(`${plan.seed} ${i}`, plan.editBytes / 2).toString("hex");
    const text = old.slice(0, at) + edit + old.slice(at + plan.editBytes);
    texts.set(name, text);
    // Within one stream, fast-import tracks the branch. Only the first commit needs its parent.
    yield commitHead(i + 1, i === 0 ? plan.from : null);
    yield modify(name, text);
    // Spreads the refs over the whole history.
    for (
      let ref = Math.ceil((i * plan.refs) / plan.commits);
      ref < ((i + 1) * plan.refs) / plan.commits;
      ref++
    ) {
      yield `reset refs/${ref % 2 === 0 ? "heads/topic" : "tags/v"}-${ref}\nfrom refs/heads/main\n\n`;
    }
  }
}

const modify = (name: string, text: string) => `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`;

function commitHead(number: number, from: string | null): string {
  const who = `Bench <bench@example.test> ${1_700_000_000 + number * 60} +0000`;
  const message = `Change ${number}`;
  return `commit refs/heads/main\ncommitter ${who}\ndata ${message.length}\n${message}\n${from ? `from ${from}\n` : ""}`;
}

/** Noise derived from a seed. */
function bytesOf(seed: string, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < length; at += 64) blocks.push(createHash("sha512").update(`${seed} ${at}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}
