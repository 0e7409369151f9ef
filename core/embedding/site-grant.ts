import type { Grant } from "#connectors/contract/platform-connector.ts";
import { sha256, utf8 } from "#core/kernel/crypto.ts";
import { openSecret, sealSecret } from "#core/vault/index.ts";

/** The access to a host's site by our app there, and the platform's method that it is. */
export type SiteGrant = { authMethod: string; grant: Grant };

const purpose = "host-grant";

/** Seals the access under a key that only the code yields. We store the code's hash, so nobody opens it but its holder. */
export async function sealGrant(code: string, granted: SiteGrant): Promise<string> {
  return sealSecret(
    await keyOf(code),
    { purpose, ownerId: granted.authMethod },
    JSON.stringify(granted.grant),
  );
}

/** Opens what `sealGrant` sealed. @throws VaultError for another code */
export async function openGrant(code: string, authMethod: string, sealed: string): Promise<SiteGrant> {
  const text = await openSecret(await keyOf(code), { purpose, ownerId: authMethod }, sealed);
  return { authMethod, grant: JSON.parse(text) as Grant };
}

const keyOf = async (code: string) => ({ version: 1, bytes: await sha256(utf8(`grant of a host\n${code}`)) });
