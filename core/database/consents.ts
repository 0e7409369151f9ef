import { and, eq, gt, isNull, type SQL } from "drizzle-orm";
import type { authorisation, storageAuthorisation } from "./control/index.ts";

/** A started consent: the hash of its state, and who started it. */
export type ConsentKey = { stateHash: string; organisationId: string; userId: string; now: number };

/** SQL that is true while a consent can be used: once, before it expires, by the person who started it. */
export function isUsable(
  table: typeof authorisation | typeof storageAuthorisation,
  key: ConsentKey,
): SQL | undefined {
  return and(
    eq(table.stateHash, key.stateHash),
    eq(table.organisationId, key.organisationId),
    eq(table.userId, key.userId),
    isNull(table.usedAt),
    gt(table.expiresAt, key.now),
  );
}
