import type { PlaceView } from "#core/inventory/views.ts";
import type { ListQuery } from "./list-query.ts";
import type { Words } from "./words.ts";

/** One entry of the selector: whose items, and which. */
export type PlaceOption = { value: string; name: string; many: string; change: Partial<ListQuery> };

/**
 * What the selector over a list offers: each place as the platform's first kind of item, then the second kinds, which
 * are the account's own (spec P-046, P-047). A platform without places has its kinds alone.
 */
export function placeOptions(
  { itemKinds }: Words["descriptor"],
  places: readonly PlaceView[],
  accountName: string,
): PlaceOption[] {
  const [main, ...subs] = itemKinds;
  if (!main) return [];
  const ofKind = ({ id, many }: typeof main): PlaceOption => ({
    value: id,
    name: accountName,
    many,
    change: { kind: id, name: "" },
  });
  const mains = places.map(({ id, name }) => ({
    value: id,
    name,
    many: main.many,
    change: { kind: main.id, placeId: id, name: "" },
  }));
  const options = [...(mains.length > 0 ? mains : [ofKind(main)]), ...subs.map(ofKind)];
  return mains.length === 0 && options.length === 1 ? [] : options;
}

/** The entry that a query stands for. */
export function chosenOption(
  { kind, placeId }: ListQuery,
  options: readonly PlaceOption[],
): PlaceOption | null {
  return (
    options.find(({ value }) => value === kind) ?? options.find(({ value }) => value === placeId) ?? null
  );
}
