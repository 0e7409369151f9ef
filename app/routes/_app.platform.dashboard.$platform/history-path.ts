import type { ItemView } from "#core/inventory/views.ts";

/** The address of an item's versions. */
export function historyPath(item: ItemView, isSub: boolean): string {
  const search = new URLSearchParams({ name: item.name, id: item.id });
  if (isSub) search.set("type", "sub");
  return `/platform/backups/${item.platform}?${search}`;
}
