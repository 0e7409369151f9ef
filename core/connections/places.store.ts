import { and, asc, eq, type SQLWrapper, sql } from "drizzle-orm";
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
  { id, organisationId, externalId }: Pick<ConnectionRow, "id" | "organisationId" | "externalId">,
): Promise<PlaceRow[]> {
  return ownFirst(await listPlaceRowsOf(ledger, organisationId, id), externalId);
}

/** A place whose account may not be known yet. */
export type BarePlaceRow = Omit<PlaceRow, "isOwn">;

/** Lists the places of a connection by name. @param connection - Its id, or a subquery that finds it. */
export async function listPlaceRowsOf(
  ledger: LedgerDatabase,
  organisationId: string,
  connection: SQLWrapper | string,
): Promise<BarePlaceRow[]> {
  return ledger
    .select({
      id: place.id,
      connectionId: place.connectionId,
      externalId: place.externalId,
      name: place.name,
      type: place.type,
      details: place.details,
    })
    .from(place)
    .where(and(eq(place.organisationId, organisationId), sql`${place.connectionId} = (${connection})`))
    .orderBy(asc(place.name));
}

/** Marks the account's own place, by the account's id at the platform, and puts it first. */
export function ownFirst(rows: readonly BarePlaceRow[], externalId: string): PlaceRow[] {
  const marked = rows.map((row) => ({ ...row, isOwn: row.externalId === externalId }));
  return marked.toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn));
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
