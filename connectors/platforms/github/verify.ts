import { z } from "zod";
import type { VerifyEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { INDEX_COMPANION } from "#connectors/toolkit/git/bare-repository.ts";
import { GitPackError } from "#connectors/toolkit/git/git-pack-error.ts";
import { type IndexedPack, indexPack } from "#connectors/toolkit/git/pack-index.ts";
import { type PackIndex, readPackIndex } from "#connectors/toolkit/git/pack-index-file.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { concatBytes, fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { type ChainPack, ENTRY, findChain, readRefs } from "./git-chain.ts";

/** What the index of a pack found, kept beside it so that later versions need not look again. */
const FACTS_COMPANION = "facts";
const factsSchema = z.object({ objects: z.int(), lfsPointers: z.int(), problems: z.array(z.string()) });
type Facts = z.output<typeof factsSchema>;

const cursorSchema = z.object({ packsDone: z.int().nonnegative() });
const REFS_NAMED = 5;

/**
 * Proves the git data of a version: every object of every pack is opened, named and indexed, what objects lean on
 * is there, and so is what every ref points to. A pack that has its index was proved with an earlier version.
 * The work goes on pack by pack; after each one it may be interrupted.
 */
export async function* verify(snapshot: SnapshotView, cursor: Json | null): AsyncIterable<VerifyEvent> {
  const refs = await readRefs(snapshot);
  const chain = await findChain(snapshot);
  if (chain === null) {
    const message = "The list of git packs is missing or names a pack that is not there.";
    yield { type: "problem", path: ENTRY.chain, message };
    return;
  }
  const resumed = cursorSchema.safeParse(cursor);
  const packsDone = resumed.success ? resumed.data.packsDone : 0;
  const indexes: PackIndex[] = [];
  let lfsPointers = 0;
  let isWhole = true;
  for (const [position, pack] of chain.packs.entries()) {
    const known = await findIndex(snapshot, pack, chain.objectFormat);
    if (known !== null) {
      const facts = await readFacts(snapshot, pack);
      indexes.push(known);
      lfsPointers += facts.lfsPointers;
      for (const message of facts.problems) yield { type: "problem", path: pack.path, message };
      continue;
    }
    // A pack without an index behind the cursor is one whose problem was told already.
    if (position < packsDone) {
      isWhole = false;
      continue;
    }
    const progress = {
      phase: "Checking git packs",
      done: position,
      total: chain.packs.length,
      unit: "items",
    } as const;
    yield { type: "progress", progress };
    const outcome = await proveOrExplain(snapshot, pack, indexes, chain.objectFormat);
    if (typeof outcome === "string") {
      isWhole = false;
      yield { type: "problem", path: pack.path, message: outcome };
    } else {
      indexes.push(outcome.index);
      lfsPointers += outcome.lfs.length;
      const problems = problemsOf(outcome);
      const facts: Facts = { objects: outcome.objects, lfsPointers: outcome.lfs.length, problems };
      yield companion(pack.path, FACTS_COMPANION, utf8(JSON.stringify(facts)));
      // The index comes last: its presence means that the pack is proved and everything about it is written.
      yield companion(pack.path, INDEX_COMPANION, outcome.idx);
      for (const message of problems) yield { type: "problem", path: pack.path, message };
    }
    yield { type: "checkpoint", cursor: { packsDone: position + 1 } };
  }
  if (isWhole) {
    const lost = refs.refs.filter((ref) => !indexes.some((index) => index.find(ref.oid) !== null));
    if (lost.length > 0)
      yield { type: "problem", path: ENTRY.refs, message: lostRefs(lost.map((ref) => ref.name)) };
  }
  yield { type: "found", kind: "git-object", count: indexes.reduce((sum, index) => sum + index.count, 0) };
  yield { type: "found", kind: "lfs-pointer", count: lfsPointers };
}

async function findIndex(
  snapshot: SnapshotView,
  pack: ChainPack,
  format: "sha1" | "sha256",
): Promise<PackIndex | null> {
  if ((await snapshot.findCompanion(pack.path, INDEX_COMPANION)) === null) return null;
  return readPackIndex(await collect(snapshot.readCompanion(pack.path, INDEX_COMPANION)), format);
}

async function readFacts(snapshot: SnapshotView, pack: ChainPack): Promise<Facts> {
  if ((await snapshot.findCompanion(pack.path, FACTS_COMPANION)) === null) {
    return { objects: 0, lfsPointers: 0, problems: [] };
  }
  const text = fromUtf8(await collect(snapshot.readCompanion(pack.path, FACTS_COMPANION)));
  return factsSchema.parse(JSON.parse(text));
}

/** The proved pack, or a sentence about what is wrong with it. Errors of the vault pass through. */
async function proveOrExplain(
  snapshot: SnapshotView,
  pack: ChainPack,
  earlier: readonly PackIndex[],
  objectFormat: "sha1" | "sha256",
): Promise<IndexedPack | string> {
  const entry = await snapshot.find(pack.path);
  if (entry === null) return "This git pack is missing.";
  const source = {
    size: entry.sizeBytes,
    read: (offset: number, length: number) => collect(snapshot.read(pack.path, { offset, length })),
  };
  try {
    const result = await indexPack(source, { objectFormat, earlier });
    invariant(result.kind === "indexed", "nothing asked the index to stop");
    if (result.packHash !== pack.hash) return "This git pack is another one than was fetched.";
    return result;
  } catch (error) {
    if (!(error instanceof GitPackError)) throw error;
    if (error.code === "too-large")
      return `Stored and its checksum proved, but not indexed: ${error.message}.`;
    return `This git pack cannot be read: ${error.message}.`;
  }
}

function problemsOf({ missing, malformed }: IndexedPack): string[] {
  const problems: string[] = [];
  if (missing.count > 0) {
    problems.push(
      `${missing.count} objects that the history leans on are in no pack, e.g. ${missing.oids[0]}.`,
    );
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

function companion(path: string, name: string, bytes: Uint8Array): VerifyEvent {
  return { type: "companion", path, name, write: async (sink) => sink.write(bytes) };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return parts.length === 1 ? parts[0]! : concatBytes(...parts);
}
