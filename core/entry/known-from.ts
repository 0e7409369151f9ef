import { subscriptionsKey } from "#core/billing/index.ts";
import { connectionsKey } from "#core/connections/index.ts";
import { cardKey, toPersonCard } from "#core/profiles/index.ts";
import type { Entry } from "./find-entry.ts";

/** The parts of an entry as keys and values for a request's memory, so that no loader reads them again. */
export function knownFrom(
  settings: { PUBLIC_URL: string },
  { member, person, image, connections, subscriptions }: Entry,
): [key: string, value: unknown][] {
  const { organisationId } = member;
  return [
    [connectionsKey(organisationId), connections],
    [subscriptionsKey(organisationId), subscriptions],
    [cardKey(member.userId), toPersonCard(settings, { ...person, image })],
  ];
}
