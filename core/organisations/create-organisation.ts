import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { createOrganisationKey, parseMasterKeys, wrapOrganisationKey } from "#core/vault/index.ts";
import { insertOrganisation } from "./organisation.store.ts";

/** Dependencies of creating an organisation. */
export type OrganisationDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  settings: { MASTER_KEYS: string };
};

/**
 * Statements that create a person's organisation: the tenant, its own vault key wrapped under the newest master key,
 * and the owner's membership. It has no name until the owner sets one. They do nothing when the person does not exist
 * at that point of the batch, or already owns an organisation.
 */
export async function prepareOrganisation(deps: OrganisationDeps, { userId }: { userId: string }) {
  const organisationId = deps.ids.next("organisation");
  const wrapped = await wrapOrganisationKey(parseMasterKeys(deps.settings.MASTER_KEYS), {
    organisationId,
    key: createOrganisationKey(),
  });
  return insertOrganisation(deps.control, {
    id: organisationId,
    memberId: deps.ids.next("member"),
    ownerUserId: userId,
    wrappedKey: JSON.stringify(wrapped),
    now: deps.clock.now(),
  });
}

/** The same for an existing person. Repeating it changes nothing. */
export async function createOrganisation(
  deps: OrganisationDeps,
  { userId }: { userId: string },
): Promise<void> {
  await deps.control.batch(await prepareOrganisation(deps, { userId }));
}
