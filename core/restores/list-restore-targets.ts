import {
  connectorOf,
  listRestorePlaces,
  openSession,
  requireConnection,
  requireRestorePlace,
  translateFailure,
} from "#core/connections/index.ts";
import type { PlaceView } from "#core/connections/views.ts";
import { requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices } from "#core/services.ts";
import { TARGETS_PER_PAGE } from "./limits.ts";

/** Possible targets of a restore. */
export type RestoreTargetsView = {
  /** Existing items, the version's own one first, then in the platform's order. */
  items: { externalId: string; name: string; fullName: string; isSource: boolean }[];
  hasMore: boolean;
  /** Places for a new item. */
  places: PlaceView[];
};

/**
 * Lists the items that a version of this item, or a part of it, can be restored into, and the places for a new item: the
 * items of the account or, where places are added one by one, those of the item's place. Requires the right to restore, because the account shows more than the organisation protects.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`
 */
export async function listRestoreTargets(
  s: AccessServices & SessionServices,
  member: Member,
  order: { itemId: string; name: string | null; page: number },
): Promise<RestoreTargetsView> {
  const { item } = await requireItem(s, member, order.itemId, "manage");
  const { connection } = await requireConnection(s, member, item, "manage");
  const connector = connectorOf(s, item.platform);
  const { whole, parts } = connector.descriptor.supports.restores;
  if (!whole.includes("existing") && !parts?.into.includes("existing")) throw new AppError("err.not.found");
  const isItemDeleted = item.status === "deleted";
  const isPlaced = connector.descriptor.supports.places && item.placeId !== null;
  const place = isPlaced
    ? await requireRestorePlace(s, connection, { placeId: item.placeId ?? "", isItemDeleted })
    : null;
  const query = {
    kind: item.kind,
    place,
    name: order.name,
    page: order.page,
    perPage: TARGETS_PER_PAGE,
  };
  const found = await connector.listItems(openSession(s, connection), query).catch((cause: unknown) => {
    throw translateFailure(cause);
  });
  const places = await listRestorePlaces(s, member, item);
  const others = found.items.filter(({ externalId }) => externalId !== item.externalId);
  // The list may be longer than its first page, and the original is what most restores go into.
  const isSourceShown =
    order.page === 0 && order.name === null ? !isItemDeleted : others.length < found.items.length;
  return {
    items: [...(isSourceShown ? [item] : []), ...others].map(({ externalId, name, fullName }) => ({
      externalId,
      name,
      fullName,
      isSource: externalId === item.externalId,
    })),
    hasMore: found.hasMore,
    places,
  };
}
