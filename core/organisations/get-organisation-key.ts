import { z } from "zod";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { createMemory, type Memory } from "#core/kernel/memory.ts";
import { type OrganisationKey, parseMasterKeys, unwrapOrganisationKey } from "#core/vault/index.ts";
import { findWrappedKey } from "./organisation.store.ts";

/** An organisation's wrapped key in stored form. */
export const wrappedKeySchema = z.object({
  version: z.number(),
  masterVersion: z.number(),
  wrapped: z.string(),
});

type OpenDeps = { control: ControlDatabase; settings: { MASTER_KEYS: string } };
type KeyDeps = { keys?: Memory; control: ControlDatabase; settings: { MASTER_KEYS: string } };

/**
 * Returns the vault key of an organisation, unwrapped with its master key. A job opens the key of an organisation once.
 * @throws AppError `err.not.found` when the organisation is unknown or its key was deleted
 * @throws VaultError `wrong-key` when the master keys do not belong to this database
 */
export function getOrganisationKey(deps: KeyDeps, organisationId: string): Promise<OrganisationKey> {
  const open = () => openKey(deps, organisationId);
  return deps.keys ? deps.keys(organisationId, open) : open();
}

async function openKey(deps: OpenDeps, organisationId: string): Promise<OrganisationKey> {
  const text = await findWrappedKey(deps.control, organisationId);
  if (text === null) throw new AppError("err.not.found");
  return unwrapOrganisationKey(parseMasterKeys(deps.settings.MASTER_KEYS), {
    organisationId,
    wrappedKey: wrappedKeySchema.parse(JSON.parse(text)),
  });
}

/**
 * The same, cached for one piece of work that needs the key for each call. A failure is not cached.
 *
 * @param memory - Shares the key with the other parts of a read-only request.
 */
export function rememberOrganisationKey(
  deps: KeyDeps,
  organisationId: string,
  memory: Memory = createMemory(),
): () => Promise<OrganisationKey> {
  return () => memory(`key:${organisationId}`, () => getOrganisationKey(deps, organisationId));
}
