import { and, eq, sql } from "drizzle-orm";
import { seenItem } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** The scope of a check for new items: one kind of item in one place. `placeId` is empty when there is no place. */
export type SeenScope = { organisationId: string; connectionId: string; placeId: string; kind: string };

/** Marks the look itself, so an empty place also counts as looked at. */
const LOOK = "";

/** True when the place was looked at before. Items not seen then are new. */
export async function wasSeen(ledger: LedgerDatabase, scope: SeenScope): Promise<boolean> {
  return (await listSeen(ledger, scope, [LOOK])).size > 0;
}

/** Returns which of these external ids were seen in the place. */
export async function listSeen(
  ledger: LedgerDatabase,
  scope: SeenScope,
  externalIds: readonly string[],
): Promise<Set<string>> {
  const rows = await ledger
    .select({ externalId: seenItem.externalId })
    .from(seenItem)
    .where(
      and(
        eq(seenItem.connectionId, scope.connectionId),
        eq(seenItem.placeId, scope.placeId),
        eq(seenItem.kind, scope.kind),
        eq(seenItem.organisationId, scope.organisationId),
        sql`${seenItem.externalId} IN (SELECT value FROM json_each(${JSON.stringify(externalIds)}))`,
      ),
    );
  return new Set(rows.map((row) => row.externalId));
}

/** Records these ids as seen. `isLook` also records that the whole place was looked at. */
export async function insertSeen(
  ledger: LedgerDatabase,
  scope: SeenScope,
  { externalIds, isLook, now }: { externalIds: readonly string[]; isLook: boolean; now: number },
): Promise<void> {
  const ids = isLook ? [...externalIds, LOOK] : externalIds;
  if (ids.length === 0) return;
  await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO seen_item (connection_id, place_id, kind, external_id, organisation_id, seen_at)
       SELECT ?2, ?3, ?4, value, ?5, ?6 FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
      JSON.stringify(ids),
      scope.connectionId,
      scope.placeId,
      scope.kind,
      scope.organisationId,
      now,
    ),
  ]);
}

/** Deletes the seen items of a connection. */
export async function forgetSeen(
  ledger: LedgerDatabase,
  { organisationId, connectionId }: Pick<SeenScope, "organisationId" | "connectionId">,
): Promise<void> {
  await ledger
    .delete(seenItem)
    .where(and(eq(seenItem.connectionId, connectionId), eq(seenItem.organisationId, organisationId)));
}
