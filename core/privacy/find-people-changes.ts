import type { PersonChange } from "#connectors/contract/people.ts";
import type { Uses } from "#core/services.ts";
import { listChanges } from "./people.store.ts";

/**
 * What the platform told of people whose names a connection holds: every closed account, and those whose profile changed
 * since the reading of an item's previous version began.
 */
export async function findPeopleChanges(
  s: Uses<"control">,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
  since: number,
): Promise<PersonChange[]> {
  return await listChanges(s.control, { organisationId, connectionId }, since);
}
