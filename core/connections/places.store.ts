import { and, asc, eq, sql } from "drizzle-orm";
import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";
import { place } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

export type PlaceRow = typeof place.$inferSelect;

/** Lists the places of a connection by name, the account's own first. */
export async function listPlaceRows(
  ledger: LedgerDatabase,
  organisationId: string,
  connectionId: string,
): Promise<PlaceRow[]> {
  return ledger
    .select()
    .from(place)
    .where(and(eq(place.organisationId, organisationId), eq(place.connectionId, connectionId)))
    .orderBy(sql`${place.type} = 'User' DESC`, asc(place.name));
}

/** Adds places. Existing ones stay unchanged. */
export async function insertPlaces(
  ledger: LedgerDatabase,
  owner: { organisationId: string; connectionId: string },
  places: readonly (PlatformPlace & { id: string })[],
  now: number,
): Promise<void> {
  if (places.length === 0) return;
  const rows = places.map((each) => [each.id, each.externalId, each.nodeId, each.name, each.type]);
  await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO place (id, organisation_id, connection_id, external_id, node_id, name, type, created_at)
       SELECT value->>0, ?2, ?3, value->>1, value->>2, value->>3, value->>4, ?4 FROM json_each(?1) WHERE true
       ON CONFLICT DO NOTHING`,
      JSON.stringify(rows),
      owner.organisationId,
      owner.connectionId,
      now,
    ),
  ]);
}

/** Deletes every place of a connection. */
export async function deletePlaces(
  ledger: LedgerDatabase,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
): Promise<void> {
  await ledger
    .delete(place)
    .where(and(eq(place.connectionId, connectionId), eq(place.organisationId, organisationId)));
}
