import { type ItemMarks, type ItemSubject, NO_MARKS } from "#connectors/contract/item-marks.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { WithFacts } from "#connectors/contract/row-facts.ts";

/** Returns what the connector derives from an item: its marks in lists and its facts for rows of the API. */
export function itemFacts(
  { marksOf, rowFacts }: Pick<PlatformConnector, "marksOf" | "rowFacts">,
  item: ItemSubject,
): WithFacts<ItemMarks> {
  return { ...(marksOf?.(item) ?? NO_MARKS), facts: rowFacts?.item?.of(item) ?? {} };
}
