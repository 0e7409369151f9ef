import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, BackupOrder, Progress, Session } from "#connectors/contract/platform-connector.ts";
import type { ByteSink } from "#connectors/contract/snapshot-view.ts";
import { isRefsMoved } from "#connectors/toolkit/git/pkt-stream.ts";
import { KEPT_REF_PREFIXES, type RefListing } from "#connectors/toolkit/git/refs.ts";
import type { GitRemote } from "#connectors/toolkit/git/smart-http.ts";
import { type FetchedPack, fetchPack, lsRefs } from "#connectors/toolkit/git/upload-pack.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { githubClient, githubRemote } from "./client.ts";
import {
  chainSchema,
  ENTRY,
  emptyChain,
  findChain,
  type GitChain,
  keptRefs,
  knownTips,
  nextPackPath,
  shouldStartNewChain,
} from "./git-chain.ts";
import { getRepository } from "./inventory.ts";

/** Refs may move between the listing and the fetch; so often the listing is made anew. */
const MOST_LISTINGS = 3;
/** Past this a full fetch is split, so that no pack outgrows what GitHub takes in one push (2 GB). */
const SPLIT_FROM_BYTES = 1.5 * 1024 ** 3;
const PART_BYTES = 512 * 1024 ** 2;

/** The state of one run: what the server lists, and what the chain holds by now. */
type GitRun = {
  remote: GitRemote;
  listing: RefListing;
  chain: GitChain;
  /** The packs of this run begin a chain; none of an earlier version is built on. */
  isBase: boolean;
  listings: number;
};

/**
 * The git data of a repository: refs, and one new git pack with what no earlier pack holds. Nothing new = no
 * pack, and the records are equal to the previous ones.
 */
export async function* backUpGit(session: Session, order: BackupOrder): AsyncGenerator<BackupEvent> {
  try {
    yield* backUpRefsAndPacks(githubRemote(session, order.item.fullName), order);
  } catch (error) {
    throw await explainMissing(session, order, error);
  }
}

async function* backUpRefsAndPacks(remote: GitRemote, order: BackupOrder): AsyncGenerator<BackupEvent> {
  const previous = order.previous === null ? null : await findChain(order.previous);
  yield progress("Listing branches and tags", 0, "refs");
  const run: GitRun = {
    remote,
    listing: await listRefs(remote, previous),
    chain: emptyChain(1, "sha1"),
    isBase: true,
    listings: 1,
  };
  const resumed = order.cursor === null ? null : chainSchema.safeParse(order.cursor);
  run.chain = chooseChain(run.listing, previous, resumed?.success ? resumed.data : null);
  yield progress("Listing branches and tags", run.listing.refs.length, "refs");

  // Packs that this run fetched before it was interrupted are in the draft already.
  for (const { path } of run.chain.packs) {
    if (previous?.packs.some((known) => known.path === path) !== true) continue;
    run.isBase = false;
    yield { type: "keep", path };
  }
  yield* fetchMissing(run, order.item.sizeHintBytes ?? 0);

  for (const { name, reason } of run.listing.rejected) {
    yield {
      type: "skipped",
      path: `git/${name}`,
      kind: "git-ref",
      reason: `Git refuses this name: ${reason}.`,
    };
  }
  const refs = keptRefs(run.listing);
  yield { type: "reported", kind: "git-ref", count: refs.length + run.listing.rejected.length };
  yield {
    type: "record",
    path: ENTRY.refs,
    kind: "git-refs",
    title: `${refs.length} refs`,
    value: {
      objectFormat: run.listing.objectFormat,
      head: { ...run.listing.head },
      refs: refs.map((ref) => ({ ...ref })),
    },
  };
  yield { type: "record", path: ENTRY.chain, kind: "git-chain", value: { ...run.chain } };
}

/**
 * Lists the refs. With a chain the object format is known, which saves the question what the server can do; a
 * listing that looks empty is made again in full, since only then an unborn HEAD is told.
 */
async function listRefs(remote: GitRemote, previous: GitChain | null): Promise<RefListing> {
  if (previous !== null && previous.packs.length > 0) {
    const capabilities = new Map([["object-format", previous.objectFormat]]);
    const listing = await lsRefs(remote, { prefixes: KEPT_REF_PREFIXES, capabilities });
    if (listing.refs.length > 0 && listing.head.oid !== null) return listing;
  }
  return await lsRefs(remote, { prefixes: KEPT_REF_PREFIXES });
}

/**
 * Git's "not found" may be about access. REST knows: it throws `gone` for what was deleted, and a repository that
 * it still shows must not count as a deletion.
 */
async function explainMissing(session: Session, { item }: BackupOrder, error: unknown): Promise<unknown> {
  if (!(error instanceof ConnectorError) || error.kind !== "gone") return error;
  await getRepository(githubClient(session), item);
  const message = `GitHub shows this repository but not its git data. ${error.message}`;
  return new ConnectorError("forbidden", message, { status: error.status ?? undefined, cause: error });
}

function chooseChain(listing: RefListing, previous: GitChain | null, resumed: GitChain | null): GitChain {
  if (resumed !== null && resumed.objectFormat === listing.objectFormat) return resumed;
  if (previous === null) return emptyChain(1, listing.objectFormat);
  const isNew = wantsOf(listing, previous).length > 0;
  if (previous.objectFormat !== listing.objectFormat || (isNew && shouldStartNewChain(previous))) {
    return emptyChain(previous.generation + 1, listing.objectFormat);
  }
  return structuredClone(previous);
}

function wantsOf(listing: RefListing, chain: GitChain): string[] {
  const known = knownTips(chain);
  return [...new Set(keptRefs(listing).map((ref) => ref.oid))].filter((oid) => !known.has(oid));
}

async function* fetchMissing(run: GitRun, sizeBytes: number): AsyncGenerator<BackupEvent> {
  const { isBase } = run;
  const partCount = isBase ? partsOf(sizeBytes) : 1;
  let parts = Math.max(1, partCount - run.chain.packs.length);
  for (
    let wants = wantsOf(run.listing, run.chain);
    wants.length > 0;
    wants = wantsOf(run.listing, run.chain)
  ) {
    const path = nextPackPath(run.chain);
    let outcome: { pack: FetchedPack; wants: string[] } | null = null;
    yield {
      type: "stream",
      path,
      kind: "git-pack",
      title: `Git pack ${run.chain.packs.length + 1}`,
      optional: true,
      write: async (sink, report) => {
        outcome = await fetchPart(run, parts, sink, report);
      },
    };
    const done = outcome as { pack: FetchedPack; wants: string[] } | null;
    invariant(done !== null, "the stream of a git pack is written before the next event is asked for");
    addToChain(run.chain, path, done, isBase);
    for (const oid of done.pack.shallow) {
      const reason = `GitHub's own copy is cut off at commit ${oid}.`;
      yield { type: "skipped", path: `git/shallow/${oid}`, kind: "git-history", reason };
    }
    parts = Math.max(1, parts - 1);
    // The points of a split fetch from which a later slice can go on.
    if (partCount > 1) yield { type: "checkpoint", cursor: structuredClone(run.chain) };
  }
}

function addToChain(
  chain: GitChain,
  path: string,
  { pack, wants }: { pack: FetchedPack; wants: string[] },
  base: boolean,
): void {
  if (pack.empty) chain.coveredTips.push(...wants);
  else {
    const { hash, objects, bytes } = pack;
    chain.packs.push({ path, hash, objects, bytes, tips: wants, base });
  }
}

/** Fetches one part; nothing has reached the sink when refs turn out to have moved, so it can be tried again. */
async function fetchPart(
  run: GitRun,
  parts: number,
  sink: ByteSink,
  report: ((progress: Progress) => void) | undefined,
): Promise<{ pack: FetchedPack; wants: string[] }> {
  for (;;) {
    const wants = partOfWants(run, parts);
    // Refs that moved may have taken every want with them.
    if (wants.length === 0) return { pack: nothing, wants };
    try {
      const pack = await fetchPack(run.remote, {
        wants,
        haves: [...knownTips(run.chain)],
        objectFormat: run.listing.objectFormat,
        sink: withoutEmptyPack(sink),
        onProgress: report,
      });
      return { pack, wants };
    } catch (error) {
      if (!isRefsMoved(error) || run.listings >= MOST_LISTINGS) throw error;
      run.listings += 1;
      run.listing = await listRefs(run.remote, null);
    }
  }
}

const nothing: FetchedPack = { objects: 0, bytes: 0, empty: true, hash: "", shallow: [] };

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

function partsOf(sizeBytes: number): number {
  return sizeBytes > SPLIT_FROM_BYTES ? Math.ceil(sizeBytes / PART_BYTES) : 1;
}

/**
 * The wants of the next part. Tags come first and in the order of their versions, which is roughly that of their
 * age, so that each part holds a stretch of history; everything else comes with the last part.
 */
function partOfWants(run: GitRun, parts: number): string[] {
  const wants = wantsOf(run.listing, run.chain);
  if (parts === 1) return wants;
  const missing = new Set(wants);
  const tags = keptRefs(run.listing)
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
