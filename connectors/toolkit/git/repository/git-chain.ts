import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/**
 * Where a git repository lies in a snapshot. The prefix ends with a slash: `git/` for an item's own repository,
 * `wiki/` for its wiki.
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

/** The refs of one version, as `refs.json` holds them. */
export const refsRecordSchema = z.object({
  objectFormat,
  head: z.object({ target: z.string().nullable(), oid: oid.nullable() }),
  refs: z.array(z.object({ name: z.string(), oid, peeled: oid.optional() })),
});
export type RefsRecord = z.output<typeof refsRecordSchema>;

const packSchema = z.object({
  path: z.string(),
  /** The pack's own checksum, which names its file in a repository. */
  hash: oid,
  objects: z.int().positive(),
  bytes: z.int().positive(),
  /** Objects whose whole history is stored once this pack and the ones before it are. */
  tips: z.array(oid).min(1),
  /** Part of the full fetch that began the chain. */
  base: z.boolean(),
});
export type ChainPack = z.output<typeof packSchema>;

/** The git packs that together hold everything the refs reach, in the order in which they build on each other. */
export const chainSchema = z.object({
  generation: z.int().positive(),
  objectFormat,
  packs: z.array(packSchema),
  /** Tips for which the server had nothing to send, because the packs held them already. */
  coveredTips: z.array(oid),
});
export type GitChain = z.output<typeof chainSchema>;

/** More packs than this make clones and restores slow. */
const MOST_PACKS = 30;
/** Increments past this share of the base mean a rewrite, or history that is stored twice. */
const LARGEST_INCREMENT_SHARE = 0.5;
/** Below this a new chain would cost more requests than it saves bytes. */
const SMALLEST_NEW_CHAIN_BYTES = 1024 * 1024;

/** A chain without packs. */
export function emptyChain(generation: number, format: GitChain["objectFormat"]): GitChain {
  return { generation, objectFormat: format, packs: [], coveredTips: [] };
}

/** The chain of a version, or null when it has none that can be built on. */
export async function findChain(snapshot: SnapshotView, prefix: string): Promise<GitChain | null> {
  const path = gitEntries(prefix).chain;
  if ((await snapshot.find(path)) === null) return null;
  const parsed = chainSchema.safeParse(await snapshot.readRecord(path));
  if (!parsed.success) return null;
  for (const pack of parsed.data.packs) if ((await snapshot.find(pack.path)) === null) return null;
  return parsed.data;
}

/** The refs of a version. @throws ZodError when the record is not one of ours */
export async function readRefs(snapshot: SnapshotView, prefix: string): Promise<RefsRecord> {
  return refsRecordSchema.parse(await snapshot.readRecord(gitEntries(prefix).refs));
}

/** Whether the version holds a git repository below the prefix. */
export async function hasRepository(snapshot: SnapshotView, prefix: string): Promise<boolean> {
  const { refs, chain } = gitEntries(prefix);
  return (await snapshot.find(refs)) !== null || (await snapshot.find(chain)) !== null;
}

/** Whether the next change should be fetched as a whole instead of being added to the chain. */
export function shouldStartNewChain(chain: GitChain): boolean {
  if (chain.packs.length > MOST_PACKS) return true;
  const sum = (base: boolean) =>
    chain.packs.filter((pack) => pack.base === base).reduce((bytes, pack) => bytes + pack.bytes, 0);
  const increments = sum(false);
  return increments > SMALLEST_NEW_CHAIN_BYTES && increments > sum(true) * LARGEST_INCREMENT_SHARE;
}

/** Every object name whose whole history the chain holds. */
export function knownTips(chain: GitChain): Set<string> {
  return new Set([...chain.packs.flatMap((pack) => pack.tips), ...chain.coveredTips]);
}

/** Path of the next pack of a chain. */
export function nextPackPath(chain: GitChain, prefix: string): string {
  const number = (value: number) => String(value).padStart(4, "0");
  return `${gitEntries(prefix).packs}${number(chain.generation)}-${number(chain.packs.length + 1)}.pack`;
}
