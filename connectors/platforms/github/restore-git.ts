import type {
  Progress,
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { zeroOid } from "#connectors/toolkit/git/object-format.ts";
import type { PushReport, RefResult } from "#connectors/toolkit/git/push-report.ts";
import {
  type PushOrder,
  pushPack,
  type ReceiverAdvertisement,
  type RefCommand,
  receiverAdvertisement,
} from "#connectors/toolkit/git/receive-pack.ts";
import type { GitRemote } from "#connectors/toolkit/git/smart-http.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { githubRemote } from "./client.ts";
import type { ChainPack, GitChain, RefsRecord } from "./git-chain.ts";
import { explainRefusals, type Refusal } from "./restore-report.ts";

/**
 * Holds on to a pack's objects until the real refs arrive. A tag and not a branch: a tag may point to any object,
 * and the first branch of an empty repository would become its default branch, which cannot be deleted.
 */
const TEMPORARY_REF = "refs/tags/__holdfast_restore";
/**
 * Every push costs the receiver a walk over what it has, so refs go in few of them. Past this number of branches
 * GitHub no longer tells of a push at all (docs: webhook events, `push`), so it is the largest that it expects.
 */
const COMMANDS_PER_PUSH = 5_000;
/** GitHub advises at most six pushes a minute to one repository. */
const UNHURRIED_PUSHES = 6;
const PUSH_SPACING_MS = 10 * SECOND_MS;

type WantedRef = { ref: string; oid: string; kind: "branch" | "tag" | "note" | "pull-request-branch" };
type GitRestore = {
  session: Session;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  remote: GitRemote;
  wanted: WantedRef[];
  refusals: Map<string, Refusal>;
  pushes: number;
};

/**
 * Pushes the git packs one by one, then all refs. Packs are never joined, since objects that two of them hold
 * would break a strict receiver, and never pushed `atomic`, since one refused ref must not hold back the others.
 *
 * @returns the branches that came back
 */
export async function* restoreGit(
  deps: { session: Session; snapshot: SnapshotView; journal: RestoreJournal },
  order: {
    created: RestoredItem;
    refs: RefsRecord;
    chain: GitChain;
    options: { pullRequestBranches: boolean };
  },
): AsyncGenerator<RestoreEvent, Set<string>> {
  const { created, refs, chain, options } = order;
  const state: GitRestore = {
    ...deps,
    remote: githubRemote(deps.session, created.fullName),
    wanted: wantedRefs(refs, options.pullRequestBranches),
    refusals: new Map(),
    pushes: 0,
  };
  const pulls = refs.refs.filter((ref) => ref.name.startsWith("refs/pull/")).length;
  if (state.wanted.length > 0) {
    for (const [position, pack] of chain.packs.entries()) {
      yield* restorePack(state, pack, { position, total: chain.packs.length });
    }
    yield* restoreRefs(state);
  }
  const cameBack = state.wanted.filter(({ ref }) => !state.refusals.has(ref));
  for (const kind of ["branch", "tag", "note", "pull-request-branch"] as const) {
    const count = cameBack.filter((wanted) => wanted.kind === kind).length;
    if (count > 0) yield { type: "restored", kind, count };
  }
  if (pulls > 0) yield pullRequestNote(pulls, options.pullRequestBranches);
  yield* explainRefusals(state.refusals);
  return new Set(
    cameBack
      .filter(({ ref }) => ref.startsWith("refs/heads/"))
      .map(({ ref }) => ref.slice("refs/heads/".length)),
  );
}

/** The refs of the new repository, the default branch first: GitHub takes the first one as default. */
function wantedRefs({ refs, head }: RefsRecord, pullRequestBranches: boolean): WantedRef[] {
  const wanted: WantedRef[] = [];
  const taken = new Set(refs.map((ref) => ref.name));
  for (const { name, oid } of refs) {
    const pull = /^refs\/pull\/([0-9]+)\/head$/.exec(name)?.[1];
    if (name.startsWith("refs/heads/")) wanted.push({ ref: name, oid, kind: "branch" });
    else if (name.startsWith("refs/tags/")) wanted.push({ ref: name, oid, kind: "tag" });
    else if (name.startsWith("refs/notes/")) wanted.push({ ref: name, oid, kind: "note" });
    else if (pull !== undefined && pullRequestBranches) {
      const plain = `refs/heads/pr/${pull}`;
      const ref = taken.has(plain) ? `refs/heads/pr/${pull}-head` : plain;
      wanted.push({ ref, oid, kind: "pull-request-branch" });
    }
  }
  return wanted.sort((a, b) => Number(b.ref === head.target) - Number(a.ref === head.target));
}

async function* restorePack(
  state: GitRestore,
  pack: ChainPack,
  { position, total }: { position: number; total: number },
): AsyncGenerator<RestoreEvent> {
  const key = `pack:${pack.hash}`;
  if ((await state.journal.find(key)) !== null) return;
  yield progress({ phase: "Sending git packs", done: position, total, unit: "items" });
  const advertisement = await receiverAdvertisement(state.remote);
  const tip = pack.tips[0];
  invariant(tip !== undefined, "a git pack is fetched for at least one tip");
  const old = advertisement.refs.get(TEMPORARY_REF) ?? zeroOid("sha1");
  // Tips differ from pack to pack, so a ref that is there already tells that an earlier attempt arrived.
  if (old !== tip) {
    const commands = [{ old, new: tip, ref: TEMPORARY_REF }];
    const report = yield* push(state, { commands, pack, advertisement });
    const isStored =
      report.refs[0]?.isUpdated === true ||
      (yield* restorePackByRefs(state, pack, advertisement, report.refs[0]));
    // Not journaled, so that a later attempt meets the refusal again and can tell it.
    if (!isStored) return;
  }
  await state.journal.record(key, true);
}

/**
 * GitHub refuses some histories (secrets, workflow files) ref by ref. One ref that it takes is enough for it to
 * keep every object of the pack, so the pack is sent once more with all real refs that it was fetched for.
 */
async function* restorePackByRefs(
  state: GitRestore,
  pack: ChainPack,
  advertisement: ReceiverAdvertisement,
  first: RefResult | undefined,
): AsyncGenerator<RestoreEvent, boolean> {
  const tips = new Set(pack.tips);
  const refs = state.wanted.filter(({ oid }) => tips.has(oid));
  // One of them there means that an earlier attempt came this far; the last push creates the others.
  if (refs.some(({ ref, oid }) => advertisement.refs.get(ref) === oid)) return true;
  for (let from = 0; from < refs.length; from += COMMANDS_PER_PUSH) {
    const commands = commandsFor(refs.slice(from, from + COMMANDS_PER_PUSH), advertisement);
    const report = yield* push(state, { commands, pack, advertisement });
    remember(state, report.refs);
    if (report.refs.some((result) => result.isUpdated)) return true;
  }
  if (first?.isUpdated === false && refs.length === 0) {
    yield { type: "impossible", what: `Objects of a git pack (${pack.objects})`, reason: first.reason };
  }
  return false;
}

/** Creates every ref that is not there yet, then removes the temporary one. */
async function* restoreRefs(state: GitRestore): AsyncGenerator<RestoreEvent> {
  let advertisement = await receiverAdvertisement(state.remote);
  const missing = state.wanted.filter(({ ref, oid }) => advertisement.refs.get(ref) !== oid);
  for (let from = 0; from < missing.length; from += COMMANDS_PER_PUSH) {
    const done = {
      phase: "Creating branches and tags",
      done: from,
      total: missing.length,
      unit: "refs",
    } as const;
    yield progress(done);
    const commands = commandsFor(missing.slice(from, from + COMMANDS_PER_PUSH), advertisement);
    // With the last refs the temporary one can go: from then on they hold the objects.
    const temporary = from + COMMANDS_PER_PUSH < missing.length ? [] : removeTemporary(advertisement);
    const report = yield* push(state, { commands: [...commands, ...temporary], pack: null, advertisement });
    remember(
      state,
      report.refs.filter(({ ref }) => ref !== TEMPORARY_REF),
    );
  }
  advertisement = await receiverAdvertisement(state.remote);
  const commands = removeTemporary(advertisement);
  if (commands.length > 0) {
    const report = yield* push(state, { commands, pack: null, advertisement });
    const [result] = report.refs;
    if (result?.isUpdated === false) {
      yield { type: "changed", what: `A helper tag ${TEMPORARY_REF} is left over`, reason: result.reason };
    }
  }
  // The receiver's own list has the last word on what came back.
  for (const { ref, oid } of state.wanted) {
    if (advertisement.refs.get(ref) === oid) state.refusals.delete(ref);
    else if (!state.refusals.has(ref))
      state.refusals.set(ref, { cause: "not-reported", reason: "It is not there." });
  }
}

function removeTemporary({ refs }: ReceiverAdvertisement): RefCommand[] {
  const old = refs.get(TEMPORARY_REF);
  return old === undefined ? [] : [{ old, new: zeroOid("sha1"), ref: TEMPORARY_REF }];
}

function commandsFor(refs: readonly WantedRef[], advertisement: ReceiverAdvertisement): RefCommand[] {
  return refs.map(({ ref, oid }) => ({ old: advertisement.refs.get(ref) ?? zeroOid("sha1"), new: oid, ref }));
}

/** The first refusal says why; later ones often only say that objects are missing because of it. */
function remember(state: GitRestore, results: readonly RefResult[]): void {
  for (const result of results) {
    if (result.isUpdated) state.refusals.delete(result.ref);
    else if (!state.refusals.has(result.ref)) state.refusals.set(result.ref, result);
  }
}

async function* push(
  state: GitRestore,
  order: { commands: RefCommand[]; pack: ChainPack | null; advertisement: ReceiverAdvertisement },
): AsyncGenerator<RestoreEvent, PushReport> {
  state.pushes += 1;
  if (state.pushes > UNHURRIED_PUSHES) await state.session.sleep(PUSH_SPACING_MS);
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

/** Runs a task and yields the latest progress that it reports whenever somebody asks. */
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
  // The failure is met below; a pause of the consumer must not make it count as unhandled.
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

function pullRequestNote(count: number, asBranches: boolean): RestoreEvent {
  const what = `${count} pull request ${count === 1 ? "ref" : "refs"} (refs/pull/*/head)`;
  if (asBranches) {
    return {
      type: "changed",
      what,
      reason: "GitHub takes no such refs; their commits are in branches named pr/N.",
    };
  }
  const reason =
    "GitHub takes no pushes to pull request refs. Restore again with 'pull requests as branches' to bring their commits back as pr/N.";
  return { type: "impossible", what, reason };
}

function progress(value: Progress): RestoreEvent {
  return { type: "progress", progress: value };
}
