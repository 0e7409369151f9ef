import { openUnderMaster, parseMasterKeys, sealUnderMaster } from "#core/vault/index.ts";

/*
 * The data of an e-mail contains codes and links that open accounts and downloads. It is stored sealed in the outbox,
 * bound to its row, so a copy of the database opens nothing. Older rows hold their data as a plain object.
 */

type SealDeps = { settings: { MASTER_KEYS: string } };

/** Seals the data of one e-mail for the outbox. */
export function sealMailData(deps: SealDeps, mailId: string, data: unknown): Promise<string> {
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  return sealUnderMaster(ring, { purpose: "mail", ownerId: mailId }, JSON.stringify(data));
}

/** Opens the data of a row, sealed or plain. @throws VaultError when it was sealed for another row or key */
export async function openMailData(deps: SealDeps, mailId: string, stored: unknown): Promise<unknown> {
  if (typeof stored !== "string") return stored;
  const ring = parseMasterKeys(deps.settings.MASTER_KEYS);
  return JSON.parse(await openUnderMaster(ring, { purpose: "mail", ownerId: mailId }, stored));
}
