import { z } from "zod";
import type { VerifyEvent, VerifyOrder } from "#connectors/contract/platform-connector.ts";
import type { ByteSink, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { storedJson, UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { INDEX_COMPANION } from "../bare-repository.ts";
import { GitPackError } from "../git-pack-error.ts";
import {
  knownPointers,
  LFS,
  LFS_COMPANION,
  pointerLines,
  provedPointers,
  storedObjects,
} from "../lfs/lfs-records.ts";
import type { LfsPointer } from "../object-facts.ts";
import type { ObjectFormat } from "../object-format.ts";
import { type IndexedPack, indexPack } from "../pack-index.ts";
import { type PackNames, readPackNames } from "../pack-index-file.ts";
import type { PackLimits } from "../pack-limits.ts";
import { findUnreachable } from "./find-unreachable.ts";
import { type ChainPack, findChain, gitEntries, hasRepository, readRefs } from "./git-chain.ts";

/** Companion name of the facts found while indexing a pack, so that later versions need not index it again. */
const FACTS_COMPANION = "facts";
const factsSchema = z.object({ objects: z.int(), lfsPointers: z.int(), problems: z.array(z.string()) });
type Facts = z.output<typeof factsSchema>;

/** Scratch name of the unfinished work on the pack at `packsDone`, for the next slice. */
const STATE_SCRATCH = "index-state";
const cursorSchema = z.strictObject({
  /** The current repository; the ones before it are done. */
  prefix: z.string(),
  packsDone: z.int().nonnegative(),
  /** Earlier packs that are too large to index here, with the message for the user. */
  unproven: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  /** Whether the pack at `packsDone` was started: its state is in the scratch. */
  isBegun: z.boolean(),
});
const cursorForm = storedJson(1, cursorSchema);
type Cursor = z.output<typeof cursorSchema>;
const REFS_NAMED = 5;

/** The repositories of a version to verify, and the limits. */
export type RepositoryCheck = {
  /** Prefixes of the repositories that every version has, in order. */
  prefixes: readonly string[];
  /** Prefixes of those that a version may lack, such as a wiki; they follow the others. */
  optional?: readonly string[];
  /** The platform to which a version is restored; it takes the SHA-1 format only. */
  platformName: string;
  /** Limits for indexing a pack; tests lower them. */
  limits?: Partial<PackLimits>;
};

/**
 * Verifies the git data of a version: opens, names and indexes every object of every pack, and checks that all
 * referenced objects and the targets of all refs exist. A pack with an index was verified with an earlier version.
 * The work can be interrupted after each pack, and inside a large one. A pack that is too large for the memory here
 * is reported as unproven: its bytes are intact, but it has no index and nothing that needs one.
 * @throws UnreadableCursorError
 */
export async function* verifyRepositories(
  snapshot: SnapshotView,
  order: VerifyOrder,
  check: RepositoryCheck,
): AsyncGenerator<VerifyEvent> {
  const cursor = cursorForm.resume(order.cursor) ?? beginning(check);
  if (!prefixesOf(check).includes(cursor.prefix))
    throw new UnreadableCursorError(`This check knows no repository ${cursor.prefix}`);
  const found = { objects: 0, lfsPointers: 0, named: new Set<string>(), asked: new Set<string>() };
  for (const prefix of prefixesOf(check)) {
    if (check.prefixes.includes(prefix) || (await hasRepository(snapshot, prefix))) {
      yield* verifyRepository({ snapshot, order, check, cursor, prefix, found });
    }
  }
  for (const { path, message } of cursor.unproven) yield { type: "unproven", path, message };
  yield* reportMissingFiles(snapshot, found);
  yield { type: "found", kind: "git-object", count: found.objects };
  yield { type: "found", kind: "lfs-pointer", count: found.lfsPointers };
}

function beginning(check: RepositoryCheck): Cursor {
  return { prefix: prefixesOf(check)[0] ?? "", packsDone: 0, unproven: [], isBegun: false };
}

async function addPointers(
  { found, snapshot }: RepositoryProof,
  pack: ChainPack,
  pointers: readonly LfsPointer[],
): Promise<void> {
  for (const { oid } of pointers) found.named.add(oid);
  for (const { oid } of (await knownPointers(snapshot, pack.path)).asked) found.asked.add(oid);
}

/**
 * Reports Git LFS files that the history references and the version lacks: git is intact without them, but the backup
 * is incomplete. Files that no backup has requested are `overlooked`, because only this check searched for them.
 */
async function* reportMissingFiles(
  snapshot: SnapshotView,
  { named, asked }: { named: ReadonlySet<string>; asked: ReadonlySet<string> },
): AsyncGenerator<VerifyEvent> {
  if (named.size === 0) return;
  const stored = await storedObjects(snapshot);
  const missing = [...named].filter((oid) => !stored.has(oid)).sort();
  const refused = missing.filter((oid) => asked.has(oid));
  const overlooked = missing.filter((oid) => !asked.has(oid));
  if (refused.length > 0) {
    const message = `${countFiles(refused)} that the history names could not be fetched, e.g. ${refused[0]}. Later backups try again.`;
    yield { type: "unproven", path: LFS, message };
  }
  if (overlooked.length > 0) {
    const message = `Only this check found ${countFiles(overlooked)} that the history names, e.g. ${overlooked[0]}. The next backup fetches what the platform has of them.`;
    yield { type: "overlooked", path: LFS, message };
  }
}

const countFiles = ({ length }: readonly string[]) =>
  `${length === 1 ? "1 file" : `${length} files`} of Git LFS`;

const prefixesOf = ({ prefixes, optional = [] }: RepositoryCheck) => [...prefixes, ...optional];

type RepositoryProof = {
  snapshot: SnapshotView;
  order: VerifyOrder;
  check: RepositoryCheck;
  cursor: Cursor;
  prefix: string;
  /** `named`: LFS files that the history references; `asked`: those that a backup has requested. */
  found: { objects: number; lfsPointers: number; named: Set<string>; asked: Set<string> };
};

async function* verifyRepository(proof: RepositoryProof): AsyncGenerator<VerifyEvent> {
  const { snapshot, check, cursor, prefix, found } = proof;
  const entries = gitEntries(prefix);
  const chain = await findChain(snapshot, prefix);
  if (chain === null) {
    const message = "The list of git packs is missing or names a pack that is not there.";
    yield { type: "problem", path: entries.chain, message };
    return;
  }
  const refs = await readRefs(snapshot, prefix);
  const order = prefixesOf(check);
  const turn = order.indexOf(prefix) - order.indexOf(cursor.prefix);
  // All packs of repositories before the cursor's are done, none of those after it.
  const packsDone = turn < 0 ? chain.packs.length : turn === 0 ? cursor.packsDone : 0;
  const packs: PackNames[] = [];
  let isWhole = true;
  for (const [position, pack] of chain.packs.entries()) {
    const known = await findIndex(snapshot, pack, chain.objectFormat);
    if (known !== null) {
      const facts = await readFacts(snapshot, pack);
      packs.push(known);
      found.lfsPointers += facts.lfsPointers;
      if (facts.lfsPointers > 0)
        await addPointers(proof, pack, (await provedPointers(snapshot, pack.path)) ?? []);
      for (const message of facts.problems) yield { type: "problem", path: pack.path, message };
      continue;
    }
    // A finished pack without an index had a problem that was already reported.
    if (position < packsDone) {
      isWhole = false;
      continue;
    }
    const place = { position, total: chain.packs.length, format: chain.objectFormat };
    const outcome = yield* provePack(proof, pack, { earlier: packs, ...place });
    if (outcome.kind === "indexed") {
      packs.push(outcome.names);
      found.lfsPointers += outcome.lfs.length;
      if (outcome.lfs.length > 0) await addPointers(proof, pack, outcome.lfs);
      // Unless every earlier pack was indexed, missing objects may be in one of them.
      const problems = problemsOf(outcome, isWhole);
      const facts: Facts = { objects: outcome.objects, lfsPointers: outcome.lfs.length, problems };
      yield companion(pack.path, FACTS_COMPANION, [utf8(JSON.stringify(facts))]);
      if (outcome.lfs.length > 0) yield companion(pack.path, LFS_COMPANION, pointerLines(outcome.lfs));
      // The index comes last: its presence means that the pack is verified and all its companions are written.
      yield companion(pack.path, INDEX_COMPANION, outcome.idx());
      for (const message of problems) yield { type: "problem", path: pack.path, message };
    } else {
      isWhole = false;
      const { message } = outcome;
      if (outcome.kind === "too-large") cursor.unproven.push({ path: pack.path, message });
      else yield { type: "problem", path: pack.path, message };
    }
    Object.assign(cursor, { prefix, packsDone: position + 1, isBegun: false });
    yield { type: "checkpoint", cursor: cursorForm.write(structuredClone(cursor)) };
  }
  if (chain.objectFormat !== "sha1" && prefix === prefixesOf(check)[0]) {
    const message = `${check.platformName} takes no repositories of the SHA-256 format.`;
    yield { type: "unrestorable", message };
  }
  if (isWhole) {
    const head = refs.head.oid === null ? [] : [{ name: "HEAD", oid: refs.head.oid }];
    const lost = [...head, ...refs.refs].filter(({ oid }) => !packs.some((names) => names.has(oid)));
    if (lost.length > 0) {
      yield { type: "problem", path: entries.refs, message: lostRefs(lost.map(({ name }) => name)) };
    } else {
      const unreachable = await findUnreachable(snapshot, { refs, chain });
      if (unreachable !== null) yield { type: "unreachable", ...unreachable };
    }
  }
  found.objects += packs.reduce((sum, names) => sum + names.count, 0);
}

async function findIndex(
  snapshot: SnapshotView,
  pack: ChainPack,
  format: ObjectFormat,
): Promise<PackNames | null> {
  if ((await snapshot.findCompanion(pack.path, INDEX_COMPANION)) === null) return null;
  const { lfsPointers } = await readFacts(snapshot, pack);
  // An early check only counted pointers: repeat it.
  if (lfsPointers > 0 && (await snapshot.findCompanion(pack.path, LFS_COMPANION)) === null) return null;
  return readPackNames(snapshot.readCompanion(pack.path, INDEX_COMPANION), format);
}

async function readFacts(snapshot: SnapshotView, pack: ChainPack): Promise<Facts> {
  const facts = await snapshot.findCompanion(pack.path, FACTS_COMPANION);
  if (facts === null) return { objects: 0, lfsPointers: 0, problems: [] };
  const text = fromUtf8(await collect(snapshot.readCompanion(pack.path, FACTS_COMPANION), facts.sizeBytes));
  return factsSchema.parse(JSON.parse(text));
}

type PackPlace = {
  earlier: readonly PackNames[];
  position: number;
  total: number;
  format: ObjectFormat;
};
type Proof = IndexedPack | { kind: "broken" | "too-large"; message: string };

/** Indexes one pack, slice by slice. Errors of the vault pass through. */
async function* provePack(
  { snapshot, order, cursor, check, prefix }: RepositoryProof,
  pack: ChainPack,
  { earlier, position, total, format }: PackPlace,
): AsyncGenerator<VerifyEvent, Proof> {
  const entry = await snapshot.find(pack.path);
  if (entry === null) return { kind: "broken", message: "This git pack is missing." };
  const source = {
    size: entry.sizeBytes,
    read: (offset: number, length: number) => collect(snapshot.read(pack.path, { offset, length }), length),
  };
  yield { type: "progress", progress: { phase: "Checking git packs", done: position, total, unit: "items" } };
  let isBegun = cursor.isBegun && prefix === cursor.prefix && position === cursor.packsDone;
  for (;;) {
    const resume = isBegun ? order.readScratch(STATE_SCRATCH) : null;
    const indexing = { objectFormat: format, earlier, resume, until: order.isOver, limits: check.limits };
    let result: Awaited<ReturnType<typeof indexPack>>;
    try {
      result = await indexPack(source, indexing);
    } catch (error) {
      if (!(error instanceof GitPackError)) throw error;
      if (error.code !== "too-large")
        return { kind: "broken", message: `This git pack cannot be read: ${error.message}.` };
      const message = `Every byte is stored and its checksum proved, but it is not indexed: ${error.message}.`;
      return { kind: "too-large", message };
    }
    if (result.kind === "indexed") {
      if (result.packHash === pack.hash) return result;
      return { kind: "broken", message: "This git pack is another one than was fetched." };
    }
    const { state, done, total: objects } = result;
    yield {
      type: "progress",
      progress: { phase: "Checking git objects", done, total: objects, unit: "objects" },
    };
    yield { type: "scratch", name: STATE_SCRATCH, write: (sink) => writeAll(sink, state) };
    isBegun = true;
    Object.assign(cursor, { prefix, packsDone: position, isBegun });
    yield { type: "checkpoint", cursor: cursorForm.write(structuredClone(cursor)) };
  }
}

async function writeAll(sink: ByteSink, pieces: Iterable<Uint8Array>): Promise<void> {
  for (const piece of pieces) await sink.write(piece);
}

function problemsOf({ missing, malformed }: IndexedPack, isWhole: boolean): string[] {
  const problems: string[] = [];
  if (isWhole && missing.count > 0) {
    const objects = missing.count === 1 ? "object is missing" : "objects are missing";
    problems.push(`${missing.count} ${objects} that the history leans on, e.g. ${missing.oids[0]}.`);
  }
  if (malformed.length > 0) {
    problems.push(
      `${malformed.length} objects are not of the form their type demands, e.g. ${malformed[0]}.`,
    );
  }
  return problems;
}

function lostRefs(names: string[]): string {
  const rest = names.length > REFS_NAMED ? ` and ${names.length - REFS_NAMED} more` : "";
  return `What these refs point to is in no pack: ${names.slice(0, REFS_NAMED).join(", ")}${rest}.`;
}

function companion(path: string, name: string, pieces: Iterable<Uint8Array>): VerifyEvent {
  return { type: "companion", path, name, write: (sink) => writeAll(sink, pieces) };
}

/** Copies at most `length` bytes from chunks that are valid only until the next one. */
async function collect(chunks: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of chunks) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes.subarray(0, filled);
}
