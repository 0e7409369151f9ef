import type { PlaceView } from "#core/connections/views.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import type { ListQuery } from "./list-query.ts";
import type { Words } from "./words.ts";

/** One option of the select: a place and an item kind, and how many items it has. */
export type PlaceOption = {
  value: string;
  name: string;
  many: string;
  count: number;
  change: Partial<ListQuery>;
};

/**
 * The options of the select above a list: each place with the platform's first item kind, then the second kinds, which
 * belong to the account (spec P-046, P-047). A platform without places only has its kinds.
 */
export function placeOptions(
  { itemKinds }: Words["descriptor"],
  places: readonly PlaceView[],
  accountName: string,
  holdings: ItemListView["holdings"],
): PlaceOption[] {
  const [main, ...subs] = itemKinds;
  if (!main) return [];
  const countOf = (kind: string, placeId?: string) =>
    holdings
      .filter((held) => held.kind === kind && (placeId === undefined || held.placeId === placeId))
      .reduce((sum, { count }) => sum + count, 0);
  const ofKind = ({ id, many }: typeof main): PlaceOption => ({
    value: id,
    name: accountName,
    many,
    count: countOf(id),
    change: { kind: id, name: "" },
  });
  const mains = places.map(({ id, name }) => ({
    value: id,
    name,
    many: main.many,
    count: countOf(main.id, id),
    change: { kind: main.id, placeId: id, name: "" },
  }));
  const options = [...(mains.length > 0 ? mains : [ofKind(main)]), ...subs.map(ofKind)];
  return mains.length === 0 && options.length === 1 ? [] : options;
}

/** The option that matches a query. */
export function chosenOption(
  { kind, placeId }: ListQuery,
  options: readonly PlaceOption[],
): PlaceOption | null {
  return (
    options.find(({ value }) => value === kind) ?? options.find(({ value }) => value === placeId) ?? null
  );
}
