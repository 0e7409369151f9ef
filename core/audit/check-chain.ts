import type { ControlDatabase } from "#core/database/ledgers.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { type Anchor, listAnchors } from "./anchors.ts";
import { findStrays, listSealed, type SealedEntry } from "./chain.store.ts";
import { CHAIN_START, isErased, linkHashOf, payloadHashOf, personalHashOf } from "./seal.ts";

/**
 * How much older than an entry before it an entry may be. Invocations last fifteen minutes at most, so a slow writer's
 * entry is never this late.
 */
const LATEST_MS = HOUR_MS;
const AT_ONCE = 500;

/** What is wrong with the trail. `moved` = its link does not follow the one before it. */
export type ChainFault = "altered" | "removed" | "inserted" | "moved";

/** The result of a check. `waiting` entries are written and not yet in the chain. */
export type ChainReport =
  | { kind: "whole"; sealed: number; waiting: number; anchors: number; head: string }
  /** The first entry that is wrong. `seq` is null outside the chain; `entryId` null when it is not known any more. */
  | { kind: "broken"; fault: ChainFault; seq: number | null; entryId: string | null }
  | { kind: "anchor-altered"; key: string };

type Broken = Extract<ChainReport, { kind: "broken" }>;

/**
 * Checks the whole trail against its chain, and the chain against the anchors in the vault. Names the first entry that
 * was altered, removed, inserted or moved. Entries that wait for the chain are no fault, however late they come, and
 * neither are erased personal fields.
 */
export async function checkAudit(deps: {
  control: ControlDatabase;
  bucket: (region: Region) => R2Bucket;
}): Promise<ChainReport> {
  // Anchors first: what is appended meanwhile only makes the chain longer.
  const { anchors, broken } = await listAnchors(deps);
  if (broken !== null) return { kind: "anchor-altered", key: broken.key };
  const bySeq = new Map(anchors.map((anchor) => [anchor.seq, anchor]));
  let end = { seq: 0, hash: CHAIN_START, newestAt: 0 };
  for (;;) {
    const page = await listSealed(deps.control, { after: end.seq, limit: AT_ONCE });
    for (const link of page) {
      const next = await follow(end, link, bySeq);
      if ("kind" in next) return next;
      end = next;
    }
    if (page.length < AT_ONCE) break;
  }
  if (anchors.some(({ seq }) => seq > end.seq)) {
    return { kind: "broken", fault: "removed", seq: end.seq + 1, entryId: null };
  }
  const strays = await findStrays(deps.control);
  if (strays.inserted !== null) {
    return { kind: "broken", fault: "inserted", seq: null, entryId: strays.inserted };
  }
  if (strays.removed !== null) {
    return { kind: "broken", fault: "removed", seq: null, entryId: strays.removed };
  }
  return {
    kind: "whole",
    sealed: end.seq,
    waiting: strays.waiting,
    anchors: anchors.length,
    head: end.hash,
  };
}

type End = { seq: number; hash: string; newestAt: number };

async function follow(
  end: End,
  { seal, entry }: SealedEntry,
  anchors: ReadonlyMap<number, Anchor>,
): Promise<End | Broken> {
  const wrong = (fault: ChainFault): Broken => ({
    kind: "broken",
    fault,
    seq: seal.seq,
    entryId: seal.entryId,
  });
  if (seal.seq !== end.seq + 1) {
    return { kind: "broken", fault: "removed", seq: end.seq + 1, entryId: null };
  }
  if (entry === null) return wrong("removed");
  const isPersonalKept =
    seal.salt === null ? isErased(entry) : (await personalHashOf(entry, seal.salt)) === seal.personalHash;
  if (!isPersonalKept) return wrong("altered");
  if ((await payloadHashOf(entry, seal.personalHash)) !== seal.payloadHash) return wrong("altered");
  if ((await linkHashOf(end.hash, seal.seq, seal.payloadHash)) !== seal.hash) return wrong("moved");
  // A writer's clock is that of its commit, so an old time at a new place was made up.
  if (entry.createdAt < end.newestAt - LATEST_MS) return wrong("inserted");
  const anchor = anchors.get(seal.seq);
  if (anchor && anchor.hash !== seal.hash) return wrong("altered");
  return { seq: seal.seq, hash: seal.hash, newestAt: Math.max(end.newestAt, entry.createdAt) };
}
