import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/**
 * Paths of a git repository in a snapshot. The prefix ends with a slash: `git/` for the item's, `wiki/` for its wiki.
 */
export function gitEntries(prefix: string) {
  return {
    refs: `${prefix}refs.json`,
    chain: `${prefix}chain.json`,
    packs: `${prefix}packs/`,
  } as const;
}

const oid = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const objectFormat = z.enum(["sha1", "sha256"]);

/** The refs of one version, as stored in `refs.json`. */
export const refsRecordSchema = z.object({
  objectFormat,
  head: z.object({ target: z.string().nullable(), oid: oid.nullable() }),
  refs: z.array(z.object({ name: z.string(), oid, peeled: oid.optional() })),
});
export type RefsRecord = z.output<typeof refsRecordSchema>;

const packSchema = z.object({
  path: z.string(),
  /** The pack's checksum, which is part of its file name in a repository. */
  hash: oid,
  objects: z.int().positive(),
  bytes: z.int().positive(),
  /** Objects whose whole history is stored in this pack and the ones before it. */
  tips: z.array(oid).min(1),
  /** Part of the full fetch that started the chain. */
  base: z.boolean(),
});
export type ChainPack = z.output<typeof packSchema>;

/** The git packs that together contain everything reachable from the refs; each builds on the ones before. */
export const chainSchema = z.object({
  generation: z.int().positive(),
  objectFormat,
  packs: z.array(packSchema),
  /** Tips for which the server sent nothing, because the packs already contained them. */
  coveredTips: z.array(oid),
});
export type GitChain = z.output<typeof chainSchema>;

/** More packs would slow down clones and restores. */
const MOST_PACKS = 30;
/** Increments beyond this share of the base indicate rewritten history, or history that is stored twice. */
const LARGEST_INCREMENT_SHARE = 0.5;
/** Below this size a new chain would cost more requests than it saves bytes. */
const SMALLEST_NEW_CHAIN_BYTES = 1024 * 1024;

/** A chain without packs. */
export function emptyChain(generation: number, format: GitChain["objectFormat"]): GitChain {
  return { generation, objectFormat: format, packs: [], coveredTips: [] };
}

/** Finds the chain of a version; null = there is none, or it cannot be extended. */
export async function findChain(snapshot: SnapshotView, prefix: string): Promise<GitChain | null> {
  const path = gitEntries(prefix).chain;
  if ((await snapshot.find(path)) === null) return null;
  const parsed = chainSchema.safeParse(await snapshot.readRecord(path));
  if (!parsed.success) return null;
  for (const pack of parsed.data.packs) if ((await snapshot.find(pack.path)) === null) return null;
  return parsed.data;
}

/** Reads the refs of a version. @throws ZodError when the record is invalid */
export async function readRefs(snapshot: SnapshotView, prefix: string): Promise<RefsRecord> {
  return refsRecordSchema.parse(await snapshot.readRecord(gitEntries(prefix).refs));
}

/** Whether the version has a git repository below the prefix. */
export async function hasRepository(snapshot: SnapshotView, prefix: string): Promise<boolean> {
  const { refs, chain } = gitEntries(prefix);
  return (await snapshot.find(refs)) !== null || (await snapshot.find(chain)) !== null;
}

/** Whether the next backup should fetch everything again instead of extending the chain. */
export function shouldStartNewChain(chain: GitChain): boolean {
  if (chain.packs.length > MOST_PACKS) return true;
  const sum = (base: boolean) =>
    chain.packs.filter((pack) => pack.base === base).reduce((bytes, pack) => bytes + pack.bytes, 0);
  const increments = sum(false);
  return increments > SMALLEST_NEW_CHAIN_BYTES && increments > sum(true) * LARGEST_INCREMENT_SHARE;
}

/** The names of all objects whose whole history is in the chain. */
export function knownTips(chain: GitChain): Set<string> {
  return new Set([...chain.packs.flatMap((pack) => pack.tips), ...chain.coveredTips]);
}

/** Path of the next pack of a chain. */
export function nextPackPath(chain: GitChain, prefix: string): string {
  const number = (value: number) => String(value).padStart(4, "0");
  return `${gitEntries(prefix).packs}${number(chain.generation)}-${number(chain.packs.length + 1)}.pack`;
}
