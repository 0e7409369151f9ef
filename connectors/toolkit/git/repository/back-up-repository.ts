import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, Progress } from "#connectors/contract/platform-connector.ts";
import type { ByteSink, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { beginFiles, fetchFiles, type LfsState, notePointers, pendingSchema } from "../lfs/back-up-lfs.ts";
import { createPointerScan, type PointerScan } from "../lfs/pointer-scan.ts";
import type { LfsPointer } from "../object-facts.ts";
import { isRefsMoved } from "../pkt-stream.ts";
import { type GitRef, isKeptRef, type RefListing } from "../refs.ts";
import type { GitRemote } from "../smart-http.ts";
import { type FetchedPack, fetchPack, lsRefs } from "../upload-pack.ts";
import {
  chainSchema,
  emptyChain,
  findChain,
  type GitChain,
  gitEntries,
  knownTips,
  nextPackPath,
  shouldStartNewChain,
} from "./git-chain.ts";
import type { GitPlatform } from "./git-platform.ts";

/** The chain as far as it has come, and beside it the files of Git LFS that wait. */
const cursorSchema = chainSchema
  .extend({ pending: pendingSchema.optional() })
  .strict()
  .transform(({ pending = null, ...chain }) => ({ chain, pending }));
/** Refs may move between the listing and the fetch; so often the listing is made anew. */
const MOST_LISTINGS = 3;
/** Size of one part of a fetch that is split. */
const PART_BYTES = 512 * 1024 ** 2;

/** Which repository is backed up, and what is known of it. */
export type RepositoryBackup = {
  platform: GitPlatform;
  remote: GitRemote;
  /** Where its entries lie, e.g. `git/`. */
  prefix: string;
  /** The last good snapshot of the item, if any. */
  previous: SnapshotView | null;
  /** The cursor of this function's own checkpoints, if this is a continuation. */
  cursor: Json | null;
  /** Size that the platform reports, in bytes; a hint for splitting the first fetch. */
  sizeHintBytes: number | null;
  /** Present = the files of Git LFS that the history names are fetched too. At most one repository of an item has them. */
  lfs?: {
    /**
     * Whether there are likely any; asked before a history is fetched from its beginning. Looking for pointers inflates
     * every object as it passes and costs more than all the rest, so where none is likely it is left to the check of
     * the version, which inflates everything anyway: what it finds is fetched by one more backup.
     */
    isLikely: () => Promise<boolean>;
  };
};

/** The state of one run: what the server lists, and what the chain holds by now. */
type GitRun = RepositoryBackup & {
  listing: RefListing;
  chain: GitChain;
  /** The packs of this run begin a chain; none of an earlier version is built on. */
  isBase: boolean;
  listings: number;
  /** What is known of the files of Git LFS; null where they are not fetched. */
  files: LfsState | null;
};

/**
 * The git data of a repository: refs, and one new git pack with what no earlier pack holds. Nothing new = no pack,
 * and the records are equal to the previous ones. Nothing is kept of a repository that the server does not know.
 *
 * @throws ConnectorError `gone` when the server does not know the repository, before the first entry
 */
export async function* backUpRepository(order: RepositoryBackup): AsyncGenerator<BackupEvent> {
  const { prefix } = order;
  const previous = order.previous === null ? null : await findChain(order.previous, prefix);
  yield progress("Listing branches and tags", 0, "refs");
  const run: GitRun = {
    ...order,
    listing: await listRefs(order, previous),
    chain: emptyChain(1, "sha1"),
    isBase: true,
    listings: 1,
    files: null,
  };
  const resumed = readCursor(cursorSchema, order.cursor);
  run.chain = chooseChain(run, previous, resumed?.chain ?? null);
  yield progress("Listing branches and tags", run.listing.refs.length, "refs");

  // Packs that this run fetched before it was interrupted are in the draft already.
  for (const { path } of run.chain.packs) {
    if (previous?.packs.some((known) => known.path === path) !== true) continue;
    run.isBase = false;
    yield { type: "keep", path };
  }
  if (order.lfs !== undefined) {
    const { isBase, chain } = run;
    const cursor = resumed?.pending ?? null;
    run.files = yield* beginFiles(order.previous, { chain, isBase, cursor });
  }
  yield* fetchMissing(run);

  for (const { name, reason } of run.listing.rejected) {
    yield {
      type: "skipped",
      path: `${prefix}${name}`,
      kind: "git-ref",
      reason: `Git refuses this name: ${reason}.`,
    };
  }
  for (const name of run.listing.respelt) {
    const reason = `The bytes of its name are no UTF-8. What it points to is kept, under the name '${name}'.`;
    yield { type: "skipped", path: `${prefix}${name}`, kind: "git-ref", reason };
  }
  const refs = keptRefs(run);
  yield { type: "reported", kind: "git-ref", count: refs.length + run.listing.rejected.length };
  yield {
    type: "record",
    path: gitEntries(prefix).refs,
    kind: "git-refs",
    title: `${refs.length} refs`,
    value: {
      objectFormat: run.listing.objectFormat,
      head: { ...run.listing.head },
      refs: refs.map((ref) => ({ ...ref })),
    },
  };
  yield { type: "record", path: gitEntries(prefix).chain, kind: "git-chain", value: { ...run.chain } };
  if (run.files !== null) {
    const server = { remote: run.remote, platform: run.platform.name };
    yield* fetchFiles({ server, pending: run.files.pending, cursorOf: () => cursorOf(run) });
  }
}

function cursorOf({ chain, files }: GitRun): Json {
  return structuredClone(files === null ? chain : { ...chain, pending: files.pending });
}

/**
 * Lists the refs. With a chain the object format is known, which saves the question what the server can do; a
 * listing that looks empty is made again in full, since only then an unborn HEAD is told.
 */
async function listRefs({ remote }: RepositoryBackup, previous: GitChain | null): Promise<RefListing> {
  if (previous !== null && previous.packs.length > 0) {
    const capabilities = new Map([["object-format", previous.objectFormat]]);
    const listing = await lsRefs(remote, { prefixes: ["refs/"], capabilities });
    if (listing.refs.length > 0 && listing.head.oid !== null) return listing;
  }
  return await lsRefs(remote, { prefixes: ["refs/"] });
}

/** The refs that a version keeps. */
function keptRefs({ listing, platform }: GitRun): GitRef[] {
  const made = { proposals: platform.proposals?.refs ?? null, own: platform.ownRefs };
  return listing.refs.filter((ref) => isKeptRef(ref.name, made));
}

function chooseChain(run: GitRun, previous: GitChain | null, resumed: GitChain | null): GitChain {
  const { listing } = run;
  if (resumed !== null && resumed.objectFormat === listing.objectFormat) return resumed;
  if (previous === null) return emptyChain(1, listing.objectFormat);
  const isNew = wantsOf(run, previous).length > 0;
  if (previous.objectFormat !== listing.objectFormat || (isNew && shouldStartNewChain(previous))) {
    return emptyChain(previous.generation + 1, listing.objectFormat);
  }
  return structuredClone(previous);
}

function wantsOf(run: GitRun, chain: GitChain = run.chain): string[] {
  const known = knownTips(chain);
  const tips = new Set(keptRefs(run).map((ref) => ref.oid));
  // A HEAD that follows no branch may be all that leads to its commit.
  if (run.listing.head.oid !== null) tips.add(run.listing.head.oid);
  return [...tips].filter((oid) => !known.has(oid));
}

async function* fetchMissing(run: GitRun): AsyncGenerator<BackupEvent> {
  const { isBase, platform, prefix } = run;
  const partCount = isBase ? partsOf(run.sizeHintBytes ?? 0, platform.splitAboveBytes) : 1;
  let parts = Math.max(1, partCount - run.chain.packs.length);
  const looks = wantsOf(run).length > 0 && (await looksForPointers(run));
  while (wantsOf(run).length > 0) {
    const path = nextPackPath(run.chain, prefix);
    let outcome: FetchedPart | null = null;
    yield {
      type: "stream",
      path,
      kind: "git-pack",
      title: `Git pack ${run.chain.packs.length + 1}`,
      optional: true,
      write: async (sink, report) => {
        outcome = await fetchPart(run, { parts, looks }, sink, report);
      },
    };
    const done = outcome as FetchedPart | null;
    invariant(done !== null, "the stream of a git pack is written before the next event is asked for");
    addToChain(run.chain, path, done, isBase);
    for (const oid of done.pack.shallow) {
      const reason = `${platform.name}'s own copy is cut off at commit ${oid}.`;
      yield { type: "skipped", path: `${prefix}shallow/${oid}`, kind: "git-history", reason };
    }
    if (run.files !== null) yield* notePointers(run.files, { pack: path, pointers: done.pointers, isBase });
    parts = Math.max(1, parts - 1);
    // The points of a split fetch from which a later slice can go on.
    if (partCount > 1) yield { type: "checkpoint", cursor: cursorOf(run) };
  }
}

/** Whether packs are looked through on their way: those of an increment are small, a whole history's are not. */
async function looksForPointers({ files, isBase, lfs }: GitRun): Promise<boolean> {
  if (files === null || lfs === undefined) return false;
  return !isBase || files.stored.size > 0 || (await lfs.isLikely());
}

function addToChain(chain: GitChain, path: string, { pack, wants }: FetchedPart, base: boolean): void {
  if (pack.empty) chain.coveredTips.push(...wants);
  else {
    const { hash, objects, bytes } = pack;
    chain.packs.push({ path, hash, objects, bytes, tips: wants, base });
  }
}

/** A part that arrived: what it was fetched for, and the LFS pointers in it. */
type FetchedPart = { pack: FetchedPack; wants: string[]; pointers: LfsPointer[] };

/** Fetches one part; nothing has reached the sink when refs turn out to have moved, so it can be tried again. */
async function fetchPart(
  run: GitRun,
  { parts, looks }: { parts: number; looks: boolean },
  sink: ByteSink,
  report: ((progress: Progress) => void) | undefined,
): Promise<FetchedPart> {
  for (;;) {
    const wants = partOfWants(run, parts);
    // Refs that moved may have taken every want with them.
    if (wants.length === 0) return { pack: nothing, wants, pointers: [] };
    const scan = looks ? createPointerScan(run.listing.objectFormat) : null;
    try {
      const pack = await fetchPack(run.remote, {
        wants,
        haves: [...knownTips(run.chain)],
        objectFormat: run.listing.objectFormat,
        sink: withoutEmptyPack(scan === null ? sink : besideScan(sink, scan)),
        onProgress: report,
      });
      return { pack, wants, pointers: (await scan?.finish()) ?? [] };
    } catch (error) {
      if (!isRefsMoved(error)) throw error;
      if (run.listings >= MOST_LISTINGS) throw explainLost(run, error);
      run.listings += 1;
      run.listing = await listRefs(run, null);
    }
  }
}

/** A ref that still leads nowhere after several listings did not move: the server has lost what it points to. */
function explainLost({ listing, platform }: GitRun, cause: ConnectorError): ConnectorError {
  const { head, refs } = listing;
  const all = [...refs, { name: "HEAD", oid: head.oid ?? "" }];
  const lost = all.find(({ oid }) => oid !== "" && cause.message.includes(oid));
  if (lost === undefined) return cause;
  const message = `At ${platform.name} '${lost.name}' points to an object that is not there, so git gives nothing of this repository. ${cause.message}`;
  return new ConnectorError("unavailable", message, { cause });
}

const nothing: FetchedPack = { objects: 0, bytes: 0, empty: true, hash: "", shallow: [] };

/** The pack goes to the store and past the scan at the same time; the slower of them sets the pace. */
function besideScan(sink: ByteSink, scan: PointerScan): ByteSink {
  return {
    async write(chunk) {
      await Promise.all([sink.write(chunk), scan.take(chunk)]);
    },
  };
}

/** Swallows a pack whose header counts no objects, so that the stream stays empty and is left out. */
function withoutEmptyPack(sink: ByteSink): ByteSink {
  let isEmpty: boolean | null = null;
  return {
    write(chunk) {
      isEmpty ??= new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength).getUint32(8) === 0;
      if (!isEmpty) return sink.write(chunk);
    },
  };
}

function partsOf(sizeBytes: number, splitAboveBytes: number): number {
  return sizeBytes > splitAboveBytes ? Math.ceil(sizeBytes / PART_BYTES) : 1;
}

/**
 * The wants of the next part. Tags come first and in the order of their versions, which is roughly that of their
 * age, so that each part holds a stretch of history; everything else comes with the last part.
 */
function partOfWants(run: GitRun, parts: number): string[] {
  const wants = wantsOf(run);
  if (parts === 1) return wants;
  const missing = new Set(wants);
  const tags = keptRefs(run)
    .filter((ref) => ref.name.startsWith("refs/tags/") && missing.has(ref.oid))
    .sort((a, b) => byVersion.compare(a.name, b.name));
  const oids = [...new Set(tags.map((ref) => ref.oid))];
  const part = oids.slice(0, Math.ceil(oids.length / (parts - 1)));
  return part.length === 0 ? wants : part;
}

const byVersion = new Intl.Collator("en", { numeric: true });

function progress(phase: string, done: number, unit: Progress["unit"]): BackupEvent {
  return { type: "progress", progress: { phase, done, total: null, unit } };
}
