import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";
import { place } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { ConnectionRow } from "./connection.store.ts";

/** A place that was added. */
export type PlaceRow = PlatformPlace & { id: string; connectionId: string };

/** Lists the places of a connection by name, the account's own first. */
export async function listPlaceRows(
  ledger: LedgerDatabase,
  connection: Pick<ConnectionRow, "id" | "organisationId" | "externalId">,
): Promise<PlaceRow[]> {
  const { id, organisationId, externalId } = connection;
  const isOwn = sql<boolean>`${place.externalId} = ${externalId}`.mapWith(Boolean);
  return ledger
    .select({
      id: place.id,
      connectionId: place.connectionId,
      externalId: place.externalId,
      name: place.name,
      type: place.type,
      isOwn,
      details: place.details,
    })
    .from(place)
    .where(and(eq(place.organisationId, organisationId), eq(place.connectionId, id)))
    .orderBy(desc(isOwn), asc(place.name));
}

/** Adds places. Existing ones stay unchanged. */
export async function insertPlaces(
  ledger: LedgerDatabase,
  owner: { organisationId: string; connectionId: string },
  places: readonly (PlatformPlace & { id: string })[],
  now: number,
): Promise<void> {
  if (places.length === 0) return;
  const rows = places.map(({ id, externalId, name, type, details }) => [
    id,
    externalId,
    name,
    type,
    JSON.stringify(details),
  ]);
  await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO place (id, organisation_id, connection_id, external_id, name, type, details, created_at)
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
