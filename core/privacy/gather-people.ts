import type { PeopleReporting } from "#connectors/contract/people.ts";
import type { ConnectionRow } from "#core/connections/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { logger } from "#core/kernel/logger.ts";
import type { VaultServices } from "#core/services.ts";
import { VaultError } from "#core/vault/index.ts";
import { listNewestSoundSnapshots, openVault, openVersion } from "#core/versions/index.ts";

const log = logger("privacy");

/** Versions that one message reads. Each takes two queries, and a few reads of its manifest. */
const VERSIONS_AT_ONCE = 200;

/**
 * The connection's owner, and the people whose names the newest versions of the next items hold. `next` is the item to go
 * on after; null = those were all. A version that cannot be opened is left out, and they are not all then; its check tells
 * its owner. Nor are they when a version notes nobody: it may be of a release that did not note people.
 */
export async function gatherPeople(
  s: VaultServices,
  { id: connectionId, organisationId, region, details }: ConnectionRow,
  people: PeopleReporting,
  after: string,
): Promise<{ people: string[]; isWhole: boolean; next: string | null }> {
  const found = new Set<string>();
  let isWhole = true;
  const owner = people.ownerOf(details as Json);
  if (owner !== null) found.add(owner);
  const versions = await listNewestSoundSnapshots(
    s.ledger(region, organisationId),
    { organisationId, connectionId },
    { after, limit: VERSIONS_AT_ONCE },
  );
  if (versions.length === 0) return { people: [...found], isWhole, next: null };
  const vault = await openVault(s, { organisationId, region });
  for (const version of versions) {
    try {
      const view = await openVersion(s, vault, { organisationId, region, ...version });
      let isNoted = false;
      for await (const externalId of people.listPeople(view)) {
        found.add(externalId);
        isNoted = true;
      }
      if (!isNoted) isWhole = false;
    } catch (cause) {
      if (!(cause instanceof VaultError || cause instanceof AppError)) throw cause;
      isWhole = false;
      log.warn("The people of a version of {itemId} could not be read", { itemId: version.itemId, cause });
    }
  }
  const next = versions.length < VERSIONS_AT_ONCE ? null : versions.at(-1)!.itemId;
  return { people: [...found], isWhole, next };
}
