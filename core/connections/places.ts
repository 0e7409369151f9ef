import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";
import type { Facts } from "#connectors/contract/row-facts.ts";
import { recordActions } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, Uses } from "#core/services.ts";
import type { ConnectionRow } from "./connection.store.ts";
import { connectorOf, openSession } from "./open-session.ts";
import { type BarePlaceRow, insertPlaces, listPlaceRows, ownFirst, type PlaceRow } from "./places.store.ts";
import { type ConnectionScope, doneBy, requireConnection } from "./require-connection.ts";
import { translateFailure } from "./translate-failure.ts";
import type { AvailablePlaceView, PlaceView } from "./views.ts";

/** Maximum places read from a platform. */
const MOST_PLACES = 1_000;

/**
 * Lists the places whose items the member may see. The account's own place is added automatically.
 *
 * @param known Rows that the caller has read.
 */
export async function listPlaces(
  s: AccessServices & SessionServices & Uses<"ids">,
  member: Member,
  input: ConnectionScope,
  known?: readonly BarePlaceRow[],
): Promise<PlaceView[]> {
  const { connection, ledger } = await requireConnection(s, member, input, "use");
  const rows = known ? ownFirst(known, connection.externalId) : await placeRowsOf(s, connection);
  if (rows.length > 0) return placeViews(s, connection, rows);
  const own = await readPlaces(s, connection, (place) => place.externalId === connection.externalId);
  await insertPlaces(ledger, owner(connection), withIds(s, own.slice(0, 1)), s.clock.now());
  return placeViews(s, connection, await listPlaceRows(ledger, connection));
}

/** Returns the platform's ids of the added places. */
export async function addedPlaceIds(s: Uses<"ledger">, connection: ConnectionRow): Promise<string[]> {
  const rows = await listPlaceRows(s.ledger(connection.region, connection.organisationId), connection);
  return rows.map(({ externalId }) => externalId);
}

/**
 * Lists places of the account that were not added yet. Only members who may add one see them, because the account shows
 * more than the organisation protects.
 */
export async function listAvailablePlaces(
  s: AccessServices & SessionServices,
  member: Member,
  input: ConnectionScope,
): Promise<AvailablePlaceView[]> {
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  const known = new Set((await listPlaceRows(ledger, connection)).map((row) => row.externalId));
  const places = await readPlaces(s, connection, (place) => !known.has(place.externalId));
  return places.map((place) => {
    const { externalId, name, type } = place;
    return { externalId, name, type, facts: factsOf(s, connection, place) };
  });
}

/**
 * Adds places that the account has and refuses others. Requires a plan with Pro features (spec P-307).
 *
 * @throws AppError `err.plan.required`, `err.role.forbidden`, `err.not.found`
 */
export async function addPlaces(
  s: AccessServices & SessionServices & Uses<"ids" | "live">,
  member: Member,
  input: ConnectionScope & { externalIds: readonly string[] },
): Promise<PlaceView[]> {
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  const { hasProFeatures } = await entitlementsOf(s, member.organisationId, input.platform);
  if (!hasProFeatures) throw new AppError("err.plan.required");
  const wanted = new Set(input.externalIds);
  const found = await readPlaces(s, connection, (place) => wanted.has(place.externalId));
  if (found.length < wanted.size) {
    throw new AppError("err.not.found", {
      message: "One of these places is not open to the connected account.",
    });
  }
  await insertPlaces(ledger, owner(connection), withIds(s, found), s.clock.now());
  await recordActions(
    s,
    found.map(({ externalId, name }) => ({
      ...doneBy(member, input.platform),
      action: "add-place",
      subject: name,
      occasion: `add-place:${connection.id}:${externalId}`,
    })),
  );
  await s.live.publish(member.organisationId, [
    { method: "connection-changed", platform: input.platform, connectionId: connection.id },
  ]);
  return placeViews(s, connection, await listPlaceRows(ledger, connection));
}

/**
 * Lists every place of the account that can receive a restore, added or not. The item's own place may be gone (spec
 * P-340), and on platforms where places are not added one by one there are no others.
 */
export async function listRestorePlaces(
  s: AccessServices & SessionServices,
  member: Member,
  input: ConnectionScope,
): Promise<PlaceView[]> {
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  const added = placeViews(s, connection, await listPlaceRows(ledger, connection));
  const known = new Set(added.map(({ externalId }) => externalId));
  const others = await readPlaces(
    s,
    connection,
    ({ externalId, restores }) => !known.has(externalId) && restores !== "no",
  );
  const rows = others.map((place) => ({ ...place, id: place.externalId, connectionId: connection.id }));
  return [...added, ...placeViews(s, connection, rows)];
}

/**
 * Returns the place for a restore: an added place. For an item deleted at the platform, and where places are not added
 * one by one, any place in which the account may restore.
 *
 * @throws AppError `err.not.found`
 */
export async function requireRestorePlace(
  s: SessionServices & Uses<"ledger">,
  connection: ConnectionRow,
  { placeId, isItemDeleted }: { placeId: string; isItemDeleted: boolean },
): Promise<PlatformPlace> {
  const rows = await listPlaceRows(s.ledger(connection.region, connection.organisationId), connection);
  const added = rows.find((row) => row.id === placeId || row.externalId === placeId);
  if (added) {
    const { id: _, connectionId: __, ...place } = added;
    return place;
  }
  const { supports } = connectorOf(s, connection.platform).descriptor;
  if (supports.places && !isItemDeleted) throw new AppError("err.not.found");
  // The account's own place needs no request.
  const { externalId: own, name, accountType: type } = connection;
  if (placeId === own) return { externalId: own, name, type, isOwn: true, details: null };
  const [found] = await readPlaces(
    s,
    connection,
    ({ externalId, restores }) => externalId === placeId && restores !== "no",
  );
  if (!found) throw new AppError("err.not.found");
  return found;
}

/**
 * Returns the place to browse. Where places are not added one by one, the platform's id is used unchecked: the platform
 * hides what the account cannot reach.
 *
 * @throws AppError `err.not.found`
 */
export async function requireBrowsedPlace(
  s: Uses<"memory" | "ledger" | "connectors">,
  connection: ConnectionRow,
  placeId: string,
): Promise<PlatformPlace> {
  if (connectorOf(s, connection.platform).descriptor.supports.places) {
    return requirePlace(s, connection, placeId);
  }
  const isOwn = placeId === connection.externalId;
  return { externalId: placeId, name: placeId, type: "", isOwn, details: null };
}

/** Returns one added place of the connection. @throws AppError `err.not.found` */
export async function requirePlace(
  s: Uses<"memory" | "ledger">,
  connection: ConnectionRow,
  placeId: string,
): Promise<PlaceRow> {
  const rows = await placeRowsOf(s, connection);
  const found = rows.find((row) => row.id === placeId || row.externalId === placeId);
  if (!found) throw new AppError("err.not.found");
  return found;
}

/** The connection's places. Read once per read-only request, but an empty list is not cached. */
async function placeRowsOf(s: Uses<"memory" | "ledger">, connection: ConnectionRow): Promise<PlaceRow[]> {
  const { id, organisationId, region } = connection;
  const read = () => listPlaceRows(s.ledger(region, organisationId), connection);
  if (!s.memory) return read();
  const known = await s.memory(`places:${organisationId}:${id}`, read);
  return known.length > 0 ? known : read();
}

async function readPlaces(
  s: SessionServices,
  connection: ConnectionRow,
  isWanted: (place: PlatformPlace) => boolean,
): Promise<PlatformPlace[]> {
  const connector = connectorOf(s, connection.platform);
  const session = openSession(s, connection);
  try {
    const { items } = await connector.listPlaces(session, { page: 0, perPage: MOST_PLACES });
    return items.filter(isWanted);
  } catch (cause) {
    throw translateFailure(cause);
  }
}

const owner = (connection: ConnectionRow) => ({
  organisationId: connection.organisationId,
  connectionId: connection.id,
});

const withIds = (s: Uses<"ids">, places: readonly PlatformPlace[]) =>
  places.map((place) => ({ ...place, id: s.ids.next("place") }));

function placeViews(
  s: Uses<"connectors">,
  connection: ConnectionRow,
  rows: readonly PlaceRow[],
): PlaceView[] {
  return rows.map(({ details, ...row }) => ({ ...row, facts: factsOf(s, connection, { ...row, details }) }));
}

function factsOf(s: Uses<"connectors">, { platform }: ConnectionRow, place: PlatformPlace): Facts {
  return connectorOf(s, platform).rowFacts?.place?.of(place) ?? {};
}
