import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { createOrganisationKey, parseMasterKeys, wrapOrganisationKey } from "#core/vault/index.ts";
import { insertOrganisation } from "./organisation.store.ts";

/** What the making of an organisation needs. */
export type OrganisationDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  settings: { MASTER_KEYS: string };
};

/**
 * Gives a person their organisation: the tenant, its own vault key wrapped by the newest master key, and the owner's
 * membership, in one batch. It has no name until the owner sets one. A person who already owns one keeps it, so a repetition changes nothing.
 */
export async function createOrganisation(
  deps: OrganisationDeps,
  { userId }: { userId: string },
): Promise<void> {
  const organisationId = deps.ids.next("organisation");
  const wrapped = await wrapOrganisationKey(parseMasterKeys(deps.settings.MASTER_KEYS), {
    organisationId,
    key: createOrganisationKey(),
  });
  await insertOrganisation(deps.control, {
    id: organisationId,
    memberId: deps.ids.next("member"),
    ownerUserId: userId,
    wrappedKey: JSON.stringify(wrapped),
    now: deps.clock.now(),
  });
}
