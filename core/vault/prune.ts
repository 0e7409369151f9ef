import { DAY_MS } from "#core/kernel/clock.ts";

/** An object of the ledger together with what refers to it. */
export type PrunableObject = {
  id: string;
  /** When it was reserved, epoch milliseconds. */
  createdAt: number;
  /** When it was first seen without any reference, or null. */
  markedAt: number | null;
  /** A manifest of a living snapshot needs it, itself or as the source of a companion. */
  isReferenced: boolean;
  /** The run that wrote or adopted it has not ended. */
  isOfOpenRun: boolean;
  /** A live export reads it. */
  isOfLiveExport: boolean;
};

/**
 * Decides which objects nobody needs. An object goes only after it was found unreferenced twice, at least 24 h
 * apart, and is at least 24 h old; anything that refers to it in between takes the mark away. The caller deletes
 * the row first, then the object, and repeats the conditions in the statement that deletes.
 */
export function planPrune(
  objects: readonly PrunableObject[],
  now: number,
): { mark: string[]; unmark: string[]; delete: string[] } {
  const plan = { mark: [] as string[], unmark: [] as string[], delete: [] as string[] };
  for (const object of objects) {
    const isNeeded = object.isReferenced || object.isOfOpenRun || object.isOfLiveExport;
    if (isNeeded) {
      if (object.markedAt !== null) plan.unmark.push(object.id);
    } else if (object.markedAt === null) {
      plan.mark.push(object.id);
    } else if (now - object.markedAt >= DAY_MS && now - object.createdAt >= DAY_MS) {
      plan.delete.push(object.id);
    }
  }
  return plan;
}

/**
 * Packs worth rewriting: those of which living manifests use less than half. An unused pack is prune's. Rewriting one
 * pack makes chunks and roots of others worthless, so once there is anything to do, packs that live mostly by those
 * go along: otherwise two packs could make each other sparse for ever.
 */
export function planRepack(
  packs: readonly { id: string; sizeBytes: number; aliveBytes: number; recordBytes: number }[],
): string[] {
  const used = packs.filter(({ aliveBytes }) => aliveBytes > 0);
  const isWorthIt = used.some(({ sizeBytes, aliveBytes }) => aliveBytes * 2 < sizeBytes);
  if (!isWorthIt) return [];
  return used.filter(({ sizeBytes, recordBytes }) => recordBytes * 2 < sizeBytes).map(({ id }) => id);
}
