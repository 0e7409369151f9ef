import type { ControlDatabase } from "#core/database/ledgers.ts";
import { parseMasterKeys, rewrap } from "#core/vault/index.ts";
import { wrappedKeySchema } from "./get-organisation-key.ts";
import { listKeysWrappedByOthers, replaceWrappedKey } from "./organisation.store.ts";

const AT_ONCE = 500;

/**
 * Wraps organisation keys anew under the newest master key: the whole of a rotation. No object of a vault is
 * touched. An older master key may be taken out of `MASTER_KEYS` once this answers 0.
 *
 * @returns How many keys were wrapped anew.
 */
export async function rewrapKeys(deps: {
  control: ControlDatabase;
  settings: { MASTER_KEYS: string };
}): Promise<number> {
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  const old = await listKeysWrappedByOthers(deps.control, { masterVersion: ring.newest, limit: AT_ONCE });
  for (const { organisationId, wrappedKey } of old) {
    const fresh = await rewrap(ring, {
      organisationId,
      wrappedKey: wrappedKeySchema.parse(JSON.parse(wrappedKey)),
    });
    await replaceWrappedKey(deps.control, { organisationId, from: wrappedKey, to: JSON.stringify(fresh) });
  }
  return old.length;
}
