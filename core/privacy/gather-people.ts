import type { PeopleReporting } from "#connectors/contract/people.ts";
import type { ConnectionRow } from "#core/connections/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { logger } from "#core/kernel/logger.ts";
import type { VaultServices } from "#core/services.ts";
import { VaultError } from "#core/vault/index.ts";
import { listNewestSoundSnapshots, openVault, openVersion } from "#core/versions/index.ts";

const log = logger("privacy");

/**
 * The people whose names the newest version of each item holds, and the connection's owner. A version that cannot be
 * opened is left out, and they are not all then; its check tells its owner.
 */
export async function gatherPeople(
  s: VaultServices,
  { id: connectionId, organisationId, region, details }: ConnectionRow,
  people: PeopleReporting,
): Promise<{ people: string[]; isWhole: boolean }> {
  const found = new Set<string>();
  let isWhole = true;
  const owner = people.ownerOf(details as Json);
  if (owner !== null) found.add(owner);
  const versions = await listNewestSoundSnapshots(s.ledger(region), { organisationId, connectionId });
  if (versions.length === 0) return { people: [...found], isWhole };
  const vault = await openVault(s, { organisationId, region });
  for (const version of versions) {
    try {
      const view = await openVersion(s, vault, { organisationId, region, ...version });
      for await (const externalId of people.listPeople(view)) found.add(externalId);
    } catch (cause) {
      if (!(cause instanceof VaultError || cause instanceof AppError)) throw cause;
      isWhole = false;
      log.warn("The people of a version of {itemId} could not be read", { itemId: version.itemId, cause });
    }
  }
  return { people: [...found], isWhole };
}
