import { listPlaceRowsOf, listPlaces } from "#core/connections/index.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, Uses } from "#core/services.ts";
import { ledgerOfItem } from "./find-item.ts";
import { connectionOfItem } from "./items.store.ts";
import { requireItem } from "./require-item.ts";

/** The places of an item's account, read beside the item. @throws AppError `err.not.found`, `err.role.forbidden` */
export async function listPlacesOfItem(
  s: AccessServices & SessionServices & Uses<"ids">,
  member: Member,
  { itemId }: { itemId: string },
): Promise<PlaceView[]> {
  const { organisationId } = member;
  const known = ledgerOfItem(s, member.organisationId, itemId);
  const [{ item }, rows] = await Promise.all([
    requireItem(s, member, itemId, "use"),
    known && listPlaceRowsOf(known, organisationId, connectionOfItem(known, organisationId, itemId)),
  ]);
  return listPlaces(s, member, item, rows ?? undefined);
}
