import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";

/** The URL of an item's history, with the spec's parameters (spec P-023 to P-025, P-028). */
export function historyPath(item: ItemView, isSub: boolean, place: string | null = null): string {
  const search = new URLSearchParams({ name: item.name, id: item.id });
  if (isSub) search.set("type", "sub");
  if (place !== null) search.set("user", place);
  if (item.typeKey !== undefined) search.set("projectTypeKey", item.typeKey);
  if (item.status === "deleted") search.set("status", item.status);
  return `/platform/backups/${item.platform}?${search}`;
}

/** The name of the item's place; null if it has none. */
export function placeNameOf({ places }: { places: readonly PlaceView[] }, item: ItemView): string | null {
  return places.find(({ id }) => id === item.placeId)?.name ?? null;
}
