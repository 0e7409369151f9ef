import { createHash } from "node:crypto";
import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent, RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { concatBytes, utf8 } from "#core/kernel/crypto.ts";
import { readCommit } from "../commit-walk.ts";
import { LFS } from "../lfs/lfs-records.ts";
import { restoreFiles } from "../lfs/restore-lfs.ts";
import { type GitObjectType, zeroOid } from "../object-format.ts";
import type { ObjectStore } from "../object-store.ts";
import { kindOf, parseRawTree, type RawEntry } from "../parse-object.ts";
import { pushPack, receiverAdvertisement } from "../receive-pack.ts";
import type { GitRemote } from "../smart-http.ts";
import { withEntry } from "../tree-edit.ts";
import { type PackedObject, preparePack } from "../write-pack.ts";
import { explainRefusals } from "./explain-refusals.ts";
import { fetchFolders } from "./fetch-folders.ts";
import type { GitPlatform } from "./git-platform.ts";
import { contentOf, lfsPointersOf, openTreePart, type TreePart } from "./tree-part.ts";

/** Where a file or folder goes, and what it is. */
type BranchOrder = {
  platform: GitPlatform;
  remote: GitRemote;
  /** The repository's name, for messages. */
  fullName: string;
  defaultBranch: string | null;
  /** Prefix of the version's repository, and the part in it. */
  prefix: string;
  ref: string;
  path: string;
};

type Deps = { session: Pick<Session, "clock">; snapshot: SnapshotView; journal: RestoreJournal };

const JOURNAL_KEY = "branch";
/** The new branch, and the commits that were sent to it: a lost response leaves one there. */
const noteSchema = z.object({ name: z.string(), commits: z.array(z.string()) });
const AUTHOR = "Holdfast <restore@holdfast.invalid>";

/**
 * Restores a file or folder as a new branch, with one commit on top of the default branch that puts it back as it was.
 * Only the new objects are sent. No other branch is touched.
 *
 * @returns the name of the branch
 * @throws ConnectorError when nothing differs, or the platform does not take the branch
 */
export async function* restoreAsBranch(deps: Deps, order: BranchOrder): AsyncGenerator<RestoreEvent, string> {
  const { platform, remote, fullName, path, defaultBranch } = order;
  const part = await openTreePart(deps.snapshot, order);
  yield progress(0);
  const advertisement = await receiverAdvertisement(remote);
  const note = (await readNote(deps.journal, JOURNAL_KEY, noteSchema)) ?? {
    name: newName(deps.session.clock.now()),
    commits: [],
  };
  const ref = `refs/heads/${note.name}`;
  const there = advertisement.refs.get(ref);
  if (there === undefined || !note.commits.includes(there)) {
    const head = defaultBranch === null ? undefined : advertisement.refs.get(`refs/heads/${defaultBranch}`);
    if (head === undefined) {
      const message = `${fullName} has no commit yet on which a branch could begin. Restore the whole version instead.`;
      throw new ConnectorError("unsupported", message);
    }
    const folders = await fetchFolders(remote, head);
    const made = await buildCommit({ part, folders, head, order, now: deps.session.clock.now() });
    yield* sendFiles(deps, order, part, made.blobs);
    const { length, chunks } = await preparePack(made.objects);
    await deps.journal.record(JOURNAL_KEY, { ...note, commits: [...note.commits, made.commit] });
    yield progress(1);
    const commands = [{ old: zeroOid("sha1"), new: made.commit, ref }];
    const push = {
      commands,
      pack: chunks(),
      packLength: length,
      objectFormat: "sha1",
      advertisement,
    } as const;
    const [result] = (await pushPack(remote, push)).refs;
    if (result?.isUpdated !== true) throw refused(result, platform);
  }
  yield { type: "restored", kind: "branch", count: 1 };
  for (const line of branchLines(path)) yield line;
  return note.name;
}

/** The report lines, which the plan tells, too. */
export function branchLines(path: string): Extract<RestoreEvent, { type: "changed" }>[] {
  return [
    {
      type: "changed",
      what: path,
      reason:
        "On a branch of its own, as one commit on top of the default branch. Merge the branch to have it back; its earlier commits are in the version.",
    },
    {
      type: "changed",
      what: "Checks of the branch",
      reason:
        "Its commit says [skip ci], so that nothing runs by itself. Another commit on the branch starts them.",
    },
  ];
}

function newName(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  return `holdfast/restore-${day}-${crypto.randomUUID().slice(0, 8)}`;
}

type Build = { part: TreePart; folders: ObjectStore; head: string; order: BranchOrder; now: number };

/** Builds the commit and everything that it adds to the default branch. */
async function buildCommit({ part, folders, head, order, now }: Build) {
  const { store, way } = part;
  const last = way.at(-1)!;
  const levels = await levelsOf(folders, (await readCommit(folders, head)).tree, way);
  const old = levels.at(-1)?.find(({ name }) => isSameName(name, last.name));
  if (old?.oid === last.oid && old.mode === last.mode) {
    const message = `${order.path} is in ${order.fullName} exactly as in this version, so there is nothing to restore.`;
    throw new ConnectorError("unsupported", message);
  }
  const known = new Set<string>();
  if (old !== undefined && kindOf(old) === "folder") {
    const content = await contentOf(folders, old);
    for (const oid of [...content.trees, ...content.blobs]) known.add(oid);
  }
  const content = await contentOf(store, last);
  const blobs = content.blobs.filter((oid) => !known.has(oid));
  const objects: PackedObject[] = [];
  for (const oid of [...content.trees.filter((tree) => !known.has(tree)), ...blobs]) {
    const { type, sizeBytes } = await store.facts(oid);
    objects.push({ type, sizeBytes, read: () => store.stream(oid) });
  }
  let entry = last;
  for (let level = way.length - 1; level >= 0; level--) {
    const tree = madeObject("tree", withEntry(levels[level] ?? [], entry));
    objects.push(tree.packed);
    entry = { mode: "40000", name: way[level - 1]?.name ?? new Uint8Array(), oid: tree.oid };
  }
  const commit = madeObject("commit", commitBytes({ tree: entry.oid, head, part, order, now }));
  return { commit: commit.oid, objects: [...objects, commit.packed], blobs };
}

/** The entries of each folder on the way, as the default branch has them; none where it has no such folder. */
async function levelsOf(folders: ObjectStore, root: string, way: readonly RawEntry[]): Promise<RawEntry[][]> {
  const levels: RawEntry[][] = [];
  let tree: string | null = root;
  for (const { name } of way) {
    const entries: RawEntry[] = tree === null ? [] : parseRawTree((await folders.read(tree)).bytes, "sha1");
    levels.push(entries);
    const next: RawEntry | undefined = entries.find((entry) => isSameName(entry.name, name));
    tree = next !== undefined && kindOf(next) === "folder" ? next.oid : null;
  }
  return levels;
}

const isSameName = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

function madeObject(type: GitObjectType, bytes: Uint8Array): { oid: string; packed: PackedObject } {
  const oid = createHash("sha1")
    .update(concatBytes(utf8(`${type} ${bytes.length}\0`), bytes))
    .digest("hex");
  return { oid, packed: { type, sizeBytes: bytes.length, read: () => [bytes] } };
}

function commitBytes({
  tree,
  head,
  part,
  order,
  now,
}: Omit<Build, "folders"> & { tree: string }): Uint8Array {
  const who = `${AUTHOR} ${Math.floor(now / SECOND_MS)} +0000`;
  const path = order.path.replace(/\s+/g, " ");
  return utf8(
    [
      ...[`tree ${tree}`, `parent ${head}`, `author ${who}`, `committer ${who}`, ""],
      ...[`Restore ${path} [skip ci]`, "", `As it was on ${part.refLabel} at ${part.commit}.`, ""],
    ].join("\n"),
  );
}

/** Uploads the files of Git LFS that the part points to, and reports those that the version lacks. */
async function* sendFiles(
  deps: Deps,
  { remote, platform }: BranchOrder,
  { store }: TreePart,
  blobs: readonly string[],
): AsyncGenerator<RestoreEvent> {
  const pointers = await lfsPointersOf(store, blobs);
  if (pointers.length === 0) return;
  yield* restoreFiles(deps, { remote, platform: platform.name }, new Set(pointers.map(({ oid }) => oid)));
  for (const { oid } of pointers) {
    if ((await deps.snapshot.find(`${LFS}${oid}`)) !== null) continue;
    yield { type: "missing", what: `File of Git LFS ${oid}`, reason: "The version does not hold it." };
  }
}

function refused(result: Parameters<typeof explained>[0], platform: GitPlatform): ConnectorError {
  return new ConnectorError("unsupported", explained(result, platform));
}

/** What the platform says about the branch, with advice. */
function explained(
  result: Awaited<ReturnType<typeof pushPack>>["refs"][number] | undefined,
  platform: GitPlatform,
): string {
  const fallback = `${platform.name} did not take the branch.`;
  if (result === undefined || result.isUpdated) return fallback;
  const [line] = explainRefusals(new Map([[result.ref, result]]), platform);
  return line?.type === "missing" ? line.reason : fallback;
}

function progress(done: number): RestoreEvent {
  return { type: "progress", progress: { phase: "Making the branch", done, total: 2, unit: "items" } };
}
