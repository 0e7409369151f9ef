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
import { cutHistory } from "./split-history.ts";

/** The current chain and the pending Git LFS files. */
const cursorSchema = chainSchema
  .extend({ pending: pendingSchema.optional() })
  .strict()
  .transform(({ pending = null, ...chain }) => ({ chain, pending }));
/** How often to list the refs, since they may move between the listing and the fetch. */
const MOST_LISTINGS = 3;
/** Size of one part of a fetch that is split: what is lost when a backup dies. */
const PART_BYTES = 64 * 1024 ** 2;
/** More parts would make the chain long enough to start over. */
const MOST_PARTS = 12;

/** The repository to back up, and what is known about it. */
export type RepositoryBackup = {
  platform: GitPlatform;
  remote: GitRemote;
  /** Folder of its entries, e.g. `git/`. */
  prefix: string;
  /** The last good snapshot of the item, if any. */
  previous: SnapshotView | null;
  /** The cursor of an earlier checkpoint, if this is a continuation. */
  cursor: Json | null;
  /** Size in bytes as reported by the platform; used to split the first fetch. */
  sizeHintBytes: number | null;
  /** Present = also fetch the Git LFS files that the history references. At most one repository of an item has them. */
  lfs?: {
    /**
     * Whether LFS files are likely; called before a full fetch of the history. Searching for pointers inflates every
     * object and costs more than everything else. If LFS files are unlikely, the check of the version, which inflates
     * everything anyway, searches instead; another backup fetches what it finds.
     */
    isLikely: () => Promise<boolean>;
  };
};

/** The state of one run: the server's refs and the current chain. */
type GitRun = RepositoryBackup & {
  listing: RefListing;
  chain: GitChain;
  /** The packs of this run start a chain instead of extending an earlier version's. */
  isBase: boolean;
  listings: number;
  /** State of the Git LFS files; null = they are not fetched. */
  files: LfsState | null;
  /** Where a first fetch is split by its history; empty = by tags, or not. */
  cuts: readonly string[][];
};

/**
 * Backs up the git data of a repository: refs, and a new git pack with what the earlier packs lack. Without changes
 * there is no new pack, and the records equal the previous ones. Keeps nothing if the server does not know the
 * repository.
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
    cuts: [],
  };
  const resumed = readCursor(cursorSchema, order.cursor);
  run.chain = chooseChain(run, previous, resumed?.chain ?? null);
  yield progress("Listing branches and tags", run.listing.refs.length, "refs");

  // The draft already has the packs that this run fetched before it was interrupted.
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
 * Lists the refs. With a chain the object format is known, which saves the capabilities request. A listing that looks
 * empty is repeated in full, because only the full one reports an unborn HEAD.
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
  // A detached HEAD may be the only ref to its commit.
  if (run.listing.head.oid !== null) tips.add(run.listing.head.oid);
  return [...tips].filter((oid) => !known.has(oid));
}

async function* fetchMissing(run: GitRun): AsyncGenerator<BackupEvent> {
  const { isBase, platform, prefix } = run;
  const partCount = isBase ? partsOf(run.sizeHintBytes ?? 0, platform.splitAboveBytes) : 1;
  let parts = Math.max(1, partCount - run.chain.packs.length);
  const looks = wantsOf(run).length > 0 && (await looksForPointers(run));
  const isLarge = (run.sizeHintBytes ?? 0) > platform.cutAboveBytes;
  if (parts > 1 && isLarge && tagsOf(run).length < partCount - 1) {
    yield progress("Dividing the history", 0, "requests");
    // The parts of earlier slices are the oldest.
    run.cuts = (await cutsOf(run, partCount)).slice(run.chain.packs.length);
  }
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
    // Checkpoints of a split fetch.
    if (partCount > 1) yield { type: "checkpoint", cursor: cursorOf(run) };
  }
}

/**
 * Whether to search packs for pointers during the fetch: always for increments, which are small; for a whole history
 * only if the previous version has LFS files or they are likely.
 */
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

/** A fetched part: its wants and its LFS pointers. */
type FetchedPart = { pack: FetchedPack; wants: string[]; pointers: LfsPointer[] };

/** Fetches one part. If the refs moved, nothing has reached the sink yet, so it retries. */
async function fetchPart(
  run: GitRun,
  { parts, looks }: { parts: number; looks: boolean },
  sink: ByteSink,
  report: ((progress: Progress) => void) | undefined,
): Promise<FetchedPart> {
  for (;;) {
    const cut = cutOfWants(run);
    const wants = cut ?? partOfWants(run, parts);
    // After the refs moved, nothing may be left to fetch.
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
      if (cut !== null) {
        // The server gives no commits that no ref names.
        run.cuts = [];
        continue;
      }
      if (run.listings >= MOST_LISTINGS) throw explainLost(run, error);
      run.listings += 1;
      run.listing = await listRefs(run, null);
    }
  }
}

/** A ref that still points to a missing object after several listings did not move: the server has lost the object. */
function explainLost({ listing, platform }: GitRun, cause: ConnectorError): ConnectorError {
  const { head, refs } = listing;
  const all = [...refs, { name: "HEAD", oid: head.oid ?? "" }];
  const lost = all.find(({ oid }) => oid !== "" && cause.message.includes(oid));
  if (lost === undefined) return cause;
  const message = `At ${platform.name} '${lost.name}' points to an object that is not there, so git gives nothing of this repository. ${cause.message}`;
  return new ConnectorError("unsupported", message, { cause });
}

const nothing: FetchedPack = { objects: 0, bytes: 0, empty: true, hash: "", shallow: [] };

/** Writes the pack to the sink and the scan concurrently; the slower one sets the pace. */
function besideScan(sink: ByteSink, scan: PointerScan): ByteSink {
  return {
    async write(chunk) {
      await Promise.all([sink.write(chunk), scan.take(chunk)]);
    },
  };
}

/** Drops a pack without objects, so that the stream stays empty and is omitted. */
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
  return sizeBytes > splitAboveBytes ? Math.min(MOST_PARTS, Math.ceil(sizeBytes / PART_BYTES)) : 1;
}

/**
 * Where to cut a history that has too few tags to split it by them. Only the default branch counts: from all refs
 * together, such as those of old proposals, no commit would be deep. A server that cannot tell costs the split, not the
 * backup.
 */
async function cutsOf({ listing, remote }: GitRun, parts: number): Promise<string[][]> {
  const { head, refs, objectFormat } = listing;
  const tip = head.oid ?? refs.find(({ name }) => name.startsWith("refs/heads/"))?.oid;
  if (tip === undefined) return [];
  try {
    return await cutHistory(remote, { wants: [tip], objectFormat, parts });
  } catch (error) {
    const isOurs =
      !(error instanceof ConnectorError) || !["gone", "unsupported", "malformed"].includes(error.kind);
    if (isOurs && !isRefsMoved(error)) throw error;
    return [];
  }
}

/** The wants of the next part of a history that is cut; null = there is none. */
function cutOfWants(run: GitRun): string[] | null {
  const known = knownTips(run.chain);
  while (run.cuts.length > 0) {
    const wants = run.cuts[0]!.filter((oid) => !known.has(oid));
    if (wants.length > 0) return wants;
    run.cuts = run.cuts.slice(1);
  }
  return null;
}

/** What tags point to, in version order, which roughly follows their age. */
function tagsOf(run: GitRun): string[] {
  const tags = keptRefs(run)
    .filter((ref) => ref.name.startsWith("refs/tags/"))
    .sort((a, b) => byVersion.compare(a.name, b.name));
  return [...new Set(tags.map((ref) => ref.oid))];
}

/**
 * The wants of the next part. Tags come first, so that each part covers a section of the history. Everything else is in
 * the last part.
 */
function partOfWants(run: GitRun, parts: number): string[] {
  const wants = wantsOf(run);
  if (parts === 1) return wants;
  const missing = new Set(wants);
  const oids = tagsOf(run).filter((oid) => missing.has(oid));
  const part = oids.slice(0, Math.ceil(oids.length / (parts - 1)));
  return part.length === 0 ? wants : part;
}

const byVersion = new Intl.Collator("en", { numeric: true });

function progress(phase: string, done: number, unit: Progress["unit"]): BackupEvent {
  return { type: "progress", progress: { phase, done, total: null, unit } };
}
