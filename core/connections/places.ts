import type { PlatformPlace } from "#connectors/contract/platform-connector.ts";
import { recordActions } from "#core/audit/index.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import type { ConnectionRow } from "./connection.store.ts";
import { connectorOf, openSession } from "./open-session.ts";
import { insertPlaces, listPlaceRows, type PlaceRow } from "./places.store.ts";
import { type ConnectionScope, doneBy, requireConnection } from "./require-connection.ts";
import { translateFailure } from "./translate-failure.ts";
import type { PlaceView } from "./views.ts";

/** Maximum places read from a platform. */
const MOST_PLACES = 1_000;

/** Lists the places whose items the member may see. The account's own place is added automatically. */
export async function listPlaces(
  s: CoreServices,
  member: Member,
  input: ConnectionScope,
): Promise<PlaceView[]> {
  const { connection, ledger } = await requireConnection(s, member, input, "use");
  const rows = await placeRowsOf(s, connection);
  if (rows.length > 0) return rows.map(toPlaceView);
  const own = await readPlaces(s, connection, (place) => place.externalId === connection.externalId);
  await insertPlaces(ledger, owner(connection), withIds(s, own.slice(0, 1)), s.clock.now());
  return (await listPlaceRows(ledger, member.organisationId, connection.id)).map(toPlaceView);
}

/** Returns the platform's ids of the added places. */
export async function addedPlaceIds(s: CoreServices, connection: ConnectionRow): Promise<string[]> {
  const rows = await listPlaceRows(s.ledger(connection.region), connection.organisationId, connection.id);
  return rows.map(({ externalId }) => externalId);
}

/**
 * Lists places of the account that were not added yet. Only members who may add one see them, because the account shows
 * more than the organisation protects.
 */
export async function listAvailablePlaces(
  s: CoreServices,
  member: Member,
  input: ConnectionScope,
): Promise<PlatformPlace[]> {
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  const known = new Set(
    (await listPlaceRows(ledger, member.organisationId, connection.id)).map((row) => row.externalId),
  );
  return readPlaces(s, connection, (place) => !known.has(place.externalId));
}

/**
 * Adds places that the account has and refuses others. Requires a plan with Pro features (spec P-307).
 *
 * @throws AppError `err.plan.required`, `err.role.forbidden`, `err.not.found`
 */
export async function addPlaces(
  s: CoreServices,
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
  return (await listPlaceRows(ledger, member.organisationId, connection.id)).map(toPlaceView);
}

/**
 * Lists every place of the account that can receive a restore, added or not. The item's own place may be gone (spec
 * P-340), and on platforms where places are not added one by one there are no others.
 */
export async function listRestorePlaces(
  s: CoreServices,
  member: Member,
  input: ConnectionScope,
): Promise<PlaceView[]> {
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  const added = (await listPlaceRows(ledger, member.organisationId, connection.id)).map(toPlaceView);
  const known = new Set(added.map(({ externalId }) => externalId));
  const others = await readPlaces(
    s,
    connection,
    ({ externalId, restores }) => !known.has(externalId) && restores !== "no",
  );
  return [
    ...added,
    ...others.map((place) => ({ ...place, id: place.externalId, connectionId: connection.id })),
  ];
}

/**
 * Returns the place for a restore: an added place. For an item deleted at the platform, and where places are not added
 * one by one, any place in which the account may restore.
 *
 * @throws AppError `err.not.found`
 */
export async function requireRestorePlace(
  s: CoreServices,
  connection: ConnectionRow,
  { placeId, isItemDeleted }: { placeId: string; isItemDeleted: boolean },
): Promise<PlatformPlace> {
  const rows = await listPlaceRows(s.ledger(connection.region), connection.organisationId, connection.id);
  const added = rows.find((row) => row.id === placeId || row.externalId === placeId);
  if (added) {
    const { externalId, nodeId, name, type } = added;
    return { externalId, nodeId, name, type };
  }
  const { supports } = connectorOf(s, connection.platform).descriptor;
  if (supports.places && !isItemDeleted) throw new AppError("err.not.found");
  // The account's own place needs no request.
  const { externalId: own, nodeId, name, accountType: type } = connection;
  if (placeId === own) return { externalId: own, nodeId, name, type };
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
  s: CoreServices,
  connection: ConnectionRow,
  placeId: string,
): Promise<PlatformPlace> {
  if (connectorOf(s, connection.platform).descriptor.supports.places) {
    return requirePlace(s, connection, placeId);
  }
  const type = placeId === connection.externalId ? "User" : "Organization";
  return { externalId: placeId, nodeId: null, name: placeId, type };
}

/** Returns one added place of the connection. @throws AppError `err.not.found` */
export async function requirePlace(
  s: CoreServices,
  connection: ConnectionRow,
  placeId: string,
): Promise<PlaceRow> {
  const rows = await placeRowsOf(s, connection);
  const found = rows.find((row) => row.id === placeId || row.externalId === placeId);
  if (!found) throw new AppError("err.not.found");
  return found;
}

/** The connection's places. Read once per read-only request, but an empty list is not cached. */
async function placeRowsOf(
  s: CoreServices,
  { id, organisationId, region }: ConnectionRow,
): Promise<PlaceRow[]> {
  const read = () => listPlaceRows(s.ledger(region), organisationId, id);
  if (!s.memory) return read();
  const known = await s.memory(`places:${organisationId}:${id}`, read);
  return known.length > 0 ? known : read();
}

async function readPlaces(
  s: CoreServices,
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

const withIds = (s: CoreServices, places: readonly PlatformPlace[]) =>
  places.map((place) => ({ ...place, id: s.ids.next("place") }));

const toPlaceView = (row: PlaceRow): PlaceView => ({
  id: row.id,
  connectionId: row.connectionId,
  externalId: row.externalId,
  nodeId: row.nodeId,
  name: row.name,
  type: row.type,
});
