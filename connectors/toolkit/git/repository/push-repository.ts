import type {
  Progress,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { zeroOid } from "../object-format.ts";
import type { PushReport, RefResult } from "../push-report.ts";
import {
  type PushOrder,
  pushPack,
  type ReceiverAdvertisement,
  type RefCommand,
  receiverAdvertisement,
} from "../receive-pack.ts";
import { proposalNumber } from "../refs.ts";
import type { GitRemote } from "../smart-http.ts";
import { explainRefusals, type RefRefusal } from "./explain-refusals.ts";
import type { ChainPack, GitChain, RefsRecord } from "./git-chain.ts";
import type { GitPlatform } from "./git-platform.ts";

/**
 * The ref that keeps a pack's objects until the real refs arrive. A tag, not a branch: a tag may point to any object,
 * and the first branch of an empty repository would become its default branch, which cannot be deleted.
 */
function temporaryRef(wanted: readonly PushedRef[]): string {
  const taken = new Set(wanted.map(({ ref }) => ref));
  let name = "refs/tags/__holdfast_restore";
  while (taken.has(name)) name += "_";
  return name;
}

/** Dependencies of a git restore. */
export type PushDeps = { session: Pick<Session, "sleep">; snapshot: SnapshotView; journal: RestoreJournal };

/** The repository of a version to push, and its target. */
export type RepositoryPush = {
  platform: GitPlatform;
  /** The new repository; empty, or as an earlier attempt left it. */
  remote: GitRemote;
  /** Folder of its entries, e.g. `git/`; also separates the journal keys of two repositories. */
  prefix: string;
  refs: RefsRecord;
  chain: GitChain;
  /** Whether heads of proposed changes are restored as branches. */
  proposalBranches: boolean;
};

/** A ref of the new repository. */
export type PushedRef = { ref: string; oid: string; kind: string };

/** The result of a push. */
export type PushedRepository = {
  cameBack: PushedRef[];
  /** Refs that the platform refused, and why. */
  refusals: ReadonlyMap<string, RefRefusal>;
};

type GitPush = PushDeps &
  RepositoryPush & {
    wanted: PushedRef[];
    temporary: string;
    refusals: Map<string, RefRefusal>;
    pushes: number;
  };

/**
 * Restores a repository's git data and reports what was and was not restored.
 *
 * @returns the restored branches, without `refs/heads/`
 */
export async function* restoreGit(
  deps: PushDeps,
  order: RepositoryPush,
): AsyncGenerator<RestoreEvent, Set<string>> {
  const { cameBack, refusals } = yield* pushRepository(deps, order);
  const kinds = new Set(["branch", "tag", "note", "other-ref", ...cameBack.map(({ kind }) => kind)]);
  for (const kind of kinds) {
    const count = cameBack.filter((pushed) => pushed.kind === kind).length;
    if (count > 0) yield { type: "restored", kind, count };
  }
  const all = wantedRefs(order).length;
  // `pushRepository` has read the refs back from the platform.
  if (all > 0)
    yield { type: "compared", what: "branches and tags have the same commits", same: cameBack.length, all };
  yield* reportRefs(order);
  yield* explainRefusals(refusals, order.platform);
  const branches = cameBack.filter(({ ref }) => ref.startsWith("refs/heads/"));
  return new Set(branches.map(({ ref }) => ref.slice("refs/heads/".length)));
}

/**
 * Pushes the git packs one by one, then all refs. Packs are never joined, because objects that occur in two of them
 * would break a strict receiver. Pushes are never `atomic`, because one refused ref must not block the others. A
 * later attempt checks what exists and continues.
 */
export async function* pushRepository(
  deps: PushDeps,
  order: RepositoryPush,
): AsyncGenerator<RestoreEvent, PushedRepository> {
  const wanted = wantedRefs(order);
  const temporary = temporaryRef(wanted);
  const state: GitPush = { ...deps, ...order, wanted, temporary, refusals: new Map(), pushes: 0 };
  const { packs } = order.chain;
  const obstacle = wanted.length > 0 ? tooLargePack(order) : null;
  if (obstacle !== null) {
    yield obstacle;
    return { cameBack: [], refusals: state.refusals };
  }
  if (state.wanted.length > 0) {
    for (const [position, pack] of packs.entries()) {
      yield* restorePack(state, pack, { position, total: packs.length });
    }
    yield* restoreRefs(state);
  }
  const cameBack = state.wanted.filter(({ ref }) => !state.refusals.has(ref));
  return { cameBack, refusals: state.refusals };
}

/** What is reported instead of a push that the platform would refuse after all of its bytes; null = every pack is small enough. */
export function tooLargePack({
  platform,
  chain,
}: Pick<RepositoryPush, "platform" | "chain">): Extract<RestoreEvent, { type: "missing" }> | null {
  const { mostBytes } = platform.push;
  const largest = Math.max(0, ...chain.packs.map(({ bytes }) => bytes));
  if (mostBytes === undefined || largest <= mostBytes) return null;
  const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
  const reason =
    `${platform.name} takes at most ${gigabytes(mostBytes)} in one push, and the largest part of this history has ` +
    `${gigabytes(largest)}. The ZIP holds everything, and plain git clones it.`;
  return { type: "missing", what: "Branches, tags and their history", reason };
}

/** The refs of the new repository, the default branch first: platforms use the first branch as default. */
export function wantedRefs({
  refs: { refs, head },
  platform,
  proposalBranches,
}: Pick<RepositoryPush, "refs" | "platform" | "proposalBranches">): PushedRef[] {
  const { proposals } = platform;
  const wanted: PushedRef[] = [];
  const taken = new Set(refs.map((ref) => ref.name));
  for (const { name, oid } of refs) {
    const number = proposals === null ? null : proposalNumber(name, proposals.refs);
    if (name.startsWith("refs/heads/")) wanted.push({ ref: name, oid, kind: "branch" });
    else if (name.startsWith("refs/tags/")) wanted.push({ ref: name, oid, kind: "tag" });
    else if (name.startsWith("refs/notes/")) wanted.push({ ref: name, oid, kind: "note" });
    else if (proposals === null || number === null) wanted.push({ ref: name, oid, kind: "other-ref" });
    else if (proposalBranches) {
      const plain = `refs/heads/${proposals.branches}${number}`;
      const ref = taken.has(plain) ? `${plain}-head` : plain;
      wanted.push({ ref, oid, kind: proposals.branchKind });
    }
  }
  return wanted.sort((a, b) => Number(b.ref === head.target) - Number(a.ref === head.target));
}

async function* restorePack(
  state: GitPush,
  pack: ChainPack,
  { position, total }: { position: number; total: number },
): AsyncGenerator<RestoreEvent> {
  const key = `${state.prefix}pack:${pack.hash}`;
  if ((await state.journal.find(key)) !== null) return;
  yield progress({ phase: "Sending git packs", done: position, total, unit: "items" });
  const advertisement = await receiverAdvertisement(state.remote);
  const tip = pack.tips[0];
  invariant(tip !== undefined, "a git pack is fetched for at least one tip");
  const old = advertisement.refs.get(state.temporary) ?? zeroOid("sha1");
  // Tips differ between packs, so an existing ref with this tip means that an earlier attempt succeeded.
  if (old !== tip) {
    const commands = [{ old, new: tip, ref: state.temporary }];
    const report = yield* push(state, { commands, pack, advertisement });
    const isStored =
      report.refs[0]?.isUpdated === true ||
      (yield* restorePackByRefs(state, pack, advertisement, report.refs[0]));
    // Not journaled, so that a later attempt hits the refusal again and can report it.
    if (!isStored) return;
  }
  await state.journal.record(key, true);
}

/**
 * Platforms refuse some histories (secrets, workflow files) per ref. One accepted ref is enough to keep every object
 * of the pack, so this pushes the pack again with the real refs that it was fetched for, in batches, until one is
 * accepted.
 */
async function* restorePackByRefs(
  state: GitPush,
  pack: ChainPack,
  advertisement: ReceiverAdvertisement,
  first: RefResult | undefined,
): AsyncGenerator<RestoreEvent, boolean> {
  const tips = new Set(pack.tips);
  const refs = state.wanted.filter(({ oid }) => tips.has(oid));
  // An existing ref means that an earlier attempt got this far; the last push creates the others.
  if (refs.some(({ ref, oid }) => advertisement.refs.get(ref) === oid)) return true;
  const { refsAtOnce } = state.platform.push;
  for (let from = 0; from < refs.length; from += refsAtOnce) {
    const results = yield* pushTogether(state, refs.slice(from, from + refsAtOnce), { pack, advertisement });
    remember(state, results);
    if (results.some((result) => result.isUpdated)) return true;
  }
  if (first?.isUpdated === false && refs.length === 0) {
    yield { type: "missing", what: `Objects of a git pack (${pack.objects})`, reason: first.reason };
  }
  return false;
}

/**
 * Pushes refs together. A platform declines a whole push for one file that is too large, so refs that were declined for
 * that are pushed again in halves, until those that lead to it stand alone.
 *
 * @param order `more`: further commands of the first push, whose results are left out.
 */
async function* pushTogether(
  state: GitPush,
  refs: readonly PushedRef[],
  order: { pack: ChainPack | null; advertisement: ReceiverAdvertisement; more?: RefCommand[] },
): AsyncGenerator<RestoreEvent, RefResult[]> {
  const { pack, advertisement, more = [] } = order;
  const commands = commandsFor(refs, advertisement);
  const report = yield* push(state, { commands: [...commands, ...more], pack, advertisement });
  const results = report.refs.slice(0, commands.length);
  const isDeclined = results.every((result) => !result.isUpdated && result.cause === "file-too-large");
  if (refs.length < 2 || !isDeclined) return results;
  const half = Math.ceil(refs.length / 2);
  const first = yield* pushTogether(state, refs.slice(0, half), { pack, advertisement });
  // An accepted ref keeps every object of the pack.
  const isStored = first.some(({ isUpdated }) => isUpdated);
  const rest = { pack: isStored ? null : pack, advertisement };
  return [...first, ...(yield* pushTogether(state, refs.slice(half), rest))];
}

/** Creates every missing ref, then removes the temporary one. */
async function* restoreRefs(state: GitPush): AsyncGenerator<RestoreEvent> {
  let advertisement = await receiverAdvertisement(state.remote);
  const { refsAtOnce } = state.platform.push;
  const missing = state.wanted.filter(({ ref, oid }) => advertisement.refs.get(ref) !== oid);
  for (let from = 0; from < missing.length; from += refsAtOnce) {
    const done = {
      phase: "Creating branches and tags",
      done: from,
      total: missing.length,
      unit: "refs",
    } as const;
    yield progress(done);
    // The last push can remove the temporary ref: from then on the real refs keep the objects.
    const more = from + refsAtOnce < missing.length ? [] : removeTemporary(state, advertisement);
    const order = { pack: null, advertisement, more };
    remember(state, yield* pushTogether(state, missing.slice(from, from + refsAtOnce), order));
  }
  advertisement = await receiverAdvertisement(state.remote);
  const commands = removeTemporary(state, advertisement);
  if (commands.length > 0) {
    const report = yield* push(state, { commands, pack: null, advertisement });
    const [result] = report.refs;
    if (result?.isUpdated === false) {
      yield { type: "changed", what: `A helper tag ${state.temporary} is left over`, reason: result.reason };
    }
  }
  // The receiver's own list decides what was restored.
  for (const { ref, oid } of state.wanted) {
    if (advertisement.refs.get(ref) === oid) state.refusals.delete(ref);
    else if (!state.refusals.has(ref))
      state.refusals.set(ref, { cause: "not-reported", reason: "It is not there." });
  }
}

function removeTemporary({ temporary }: GitPush, { refs }: ReceiverAdvertisement): RefCommand[] {
  const old = refs.get(temporary);
  return old === undefined ? [] : [{ old, new: zeroOid("sha1"), ref: temporary }];
}

function commandsFor(refs: readonly PushedRef[], advertisement: ReceiverAdvertisement): RefCommand[] {
  return refs.map(({ ref, oid }) => ({ old: advertisement.refs.get(ref) ?? zeroOid("sha1"), new: oid, ref }));
}

/** Keeps the first refusal of a ref: later ones often only say that objects are missing because of it. */
function remember(state: GitPush, results: readonly RefResult[]): void {
  for (const result of results) {
    if (result.isUpdated) state.refusals.delete(result.ref);
    else if (!state.refusals.has(result.ref)) state.refusals.set(result.ref, result);
  }
}

async function* push(
  state: GitPush,
  order: { commands: RefCommand[]; pack: ChainPack | null; advertisement: ReceiverAdvertisement },
): AsyncGenerator<RestoreEvent, PushReport> {
  const { unhurried, spacingMs } = state.platform.push;
  state.pushes += 1;
  if (state.pushes > unhurried) await state.session.sleep(spacingMs);
  const { pack } = order;
  const body: PushOrder = {
    commands: order.commands,
    pack: pack === null ? null : state.snapshot.read(pack.path),
    packLength: pack?.bytes ?? 0,
    objectFormat: "sha1",
    advertisement: order.advertisement,
  };
  return yield* withProgress((onProgress) => pushPack(state.remote, { ...body, onProgress }));
}

/** Runs a task and yields its latest progress whenever the consumer pulls. */
async function* withProgress<T>(
  task: (onProgress: (progress: Progress) => void) => Promise<T>,
): AsyncGenerator<RestoreEvent, T> {
  let latest: Progress | null = null;
  let wake: () => void = () => undefined;
  let outcome: { value: T } | null = null;
  const running = task((reported) => {
    latest = reported;
    wake();
  }).then((value) => {
    outcome = { value };
  });
  // The failure is handled below; if the consumer pauses, it must not become an unhandled rejection.
  running.catch(() => undefined);
  for (;;) {
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await Promise.race([running, woken]);
    const reported: Progress | null = latest;
    latest = null;
    if (reported !== null) yield progress(reported);
    if (outcome !== null) return (outcome as { value: T }).value;
  }
}

type RefsOrder = Pick<RepositoryPush, "refs" | "platform" | "proposalBranches">;

/** Reports refs that cannot be restored unchanged, regardless of the platform's response to the push. */
export function* reportRefs(order: RefsOrder): Generator<RestoreEvent> {
  yield* reportProposals(order);
  const { target, oid } = order.refs.head;
  if (oid === null || target?.startsWith("refs/heads/") === true) return;
  const stood = target === null ? `at the commit ${oid}` : `at ${target}`;
  const reason = `The HEAD of the original stood ${stood}; ${order.platform.name} knows a default branch only. A commit that nothing else leads to is in the ZIP.`;
  yield { type: "changed", what: "HEAD", reason };
}

/** Refs of proposed changes cannot be pushed. */
function* reportProposals({ refs, platform, proposalBranches }: RefsOrder): Generator<RestoreEvent> {
  const { proposals, name } = platform;
  if (proposals === null) return;
  const count = refs.refs.filter((ref) => proposalNumber(ref.name, proposals.refs) !== null).length;
  if (count === 0) return;
  const { one, branches } = proposals;
  const what = `${count} ${one} ${count === 1 ? "ref" : "refs"} (${proposals.refs}*/head)`;
  if (proposalBranches) {
    const reason = `${name} takes no such refs; their commits are in branches named ${branches}N.`;
    yield { type: "changed", what, reason };
    return;
  }
  const reason = `${name} takes no pushes to ${one} refs. Restore again with '${one}s as branches' to bring their commits back as ${branches}N.`;
  yield { type: "impossible", what, reason };
}

function progress(value: Progress): RestoreEvent {
  return { type: "progress", progress: value };
}
