import type { Card } from "../state.ts";
import { within } from "./nested-cards.ts";

/** A page of cards: newest first when a limit is set, bounded by ids or creation times. */
export function pageOfCards(
  cards: readonly Card[],
  bounds: { limit?: number | undefined; before?: string | undefined; since?: string | undefined },
): readonly Card[] {
  const isWanted = within(bounds);
  const wanted = cards.filter(({ id }) => isWanted({ id }));
  if (bounds.limit === undefined) return wanted;
  return [...wanted].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, bounds.limit);
}
