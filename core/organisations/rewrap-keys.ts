import type { ControlDatabase } from "#core/database/ledgers.ts";
import { logger } from "#core/kernel/logger.ts";
import { parseMasterKeys, rewrap } from "#core/vault/index.ts";
import { wrappedKeySchema } from "./get-organisation-key.ts";
import { listKeysWrappedByOthers, replaceWrappedKey } from "./organisation.store.ts";

const log = logger("organisations");
const AT_ONCE = 500;

/**
 * Re-wraps organisation keys under the newest master key; this is all that a rotation needs. No vault object is
 * touched. A key that does not open is logged and does not stop the others. An old master key may be removed from
 * `MASTER_KEYS` once this returns 0.
 *
 * @returns How many keys were wrapped under another master key.
 */
export async function rewrapKeys(deps: {
  control: ControlDatabase;
  settings: { MASTER_KEYS: string };
}): Promise<number> {
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  const old = await listKeysWrappedByOthers(deps.control, { masterVersion: ring.newest, limit: AT_ONCE });
  for (const { organisationId, wrappedKey } of old) {
    try {
      const known = wrappedKeySchema.parse(JSON.parse(wrappedKey));
      const fresh = await rewrap(ring, { organisationId, wrappedKey: known });
      await replaceWrappedKey(deps.control, { organisationId, from: wrappedKey, to: JSON.stringify(fresh) });
    } catch (cause) {
      log.error("the key of {organisationId} cannot be rewrapped", { organisationId, cause });
    }
  }
  return old.length;
}
