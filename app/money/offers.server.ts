import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { limitsItems, pricesOf } from "#core/billing/index.ts";

/** The cheapest price of a platform: of one unit, or of a bracket of up to `upTo` items. */
export type Offer = {
  id: string;
  label: string;
  cents: number;
  upTo: number | null;
  /** The kind of item that is counted; null = users. */
  item: { one: string; many: string } | null;
};

/** The cheapest monthly price of each platform that is sold. */
export function listOffers(): Offer[] {
  return descriptors.flatMap(({ id, label, itemKinds }) => {
    const price = pricesOf(id)?.find(({ plan, period }) => plan === "essential" && period === "month");
    const bracket = price?.brackets[0];
    const [kind] = itemKinds;
    if (!price || !bracket || !kind) return [];
    const { one, many } = kind;
    const upTo = price.kind === "flat" ? bracket.to : null;
    return [{ id, label, cents: bracket.cents, upTo, item: limitsItems(id) ? { one, many } : null }];
  });
}
