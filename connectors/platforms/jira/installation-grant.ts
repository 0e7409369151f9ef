import { decodeJwt } from "jose";
import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HostCall, HostToken, HostTokens } from "#connectors/contract/host-app.ts";
import type { AuthorisationIo, Grant } from "#connectors/contract/platform-connector.ts";
import { isSiteAddress, paths, siteClient, webBase } from "./client.ts";
import { meSchema } from "./payloads.ts";

/** Atlassian's documentation, "Forge Remote essentials": headers that Forge adds when the manifest asks for them. */
const APP_HEADER = "x-forge-oauth-system";
const PERSON_HEADER = "x-forge-oauth-user";

const permissionsSchema = z.object({
  permissions: z.object({ ADMINISTER: z.object({ havePermission: z.boolean() }) }),
});

/** The tokens of a call. */
export function readForgeTokens(headers: Headers): HostTokens {
  return { app: tokenIn(headers.get(APP_HEADER)), person: tokenIn(headers.get(PERSON_HEADER)) };
}

/**
 * A token with its end. The documentation "Calling Atlassian app APIs from a remote" names the claim `exp`; nothing else in
 * the token is read. A token whose end is unknown is not used.
 */
function tokenIn(header: string | null): HostToken | null {
  const accessToken = header?.trim() ?? "";
  if (!/^[\w.~+/=-]{1,8000}$/.test(accessToken)) return null;
  try {
    const { exp } = decodeJwt(accessToken);
    return typeof exp === "number" ? { accessToken, expiresAt: exp * 1_000 } : null;
  } catch {
    return null;
  }
}

/**
 * The site as an account that is reached by the app's own token. The app may see projects that the person does not, so only
 * an administrator of Jira may connect it, which Jira itself is asked for with the person's token.
 * @throws ConnectorError `forbidden`
 */
export async function installationGrant(
  io: AuthorisationIo,
  { siteId, siteUrl, accountId }: HostCall,
  { app, person }: HostTokens,
): Promise<Grant> {
  if (accountId === null || app === null || person === null) {
    throw new ConnectorError(
      "forbidden",
      "Jira sent no access of the app. Ask an administrator to update the app.",
    );
  }
  const clientOf = ({ accessToken }: HostToken) =>
    siteClient({ ...io, accessToken: async () => accessToken }, io.config, siteId);
  const ask = { method: "GET", endpoint: "account" } as const;
  const { permissions } = await clientOf(person).request(
    { ...ask, path: paths.myPermissions, query: { permissions: "ADMINISTER" }, about: "your permissions" },
    permissionsSchema,
  );
  if (!permissions.ADMINISTER.havePermission) {
    throw new ConnectorError(
      "forbidden",
      "Only an administrator of Jira can connect this site through the app.",
    );
  }
  const me = await clientOf(app).request({ ...ask, path: paths.me, about: "the app's account" }, meSchema);
  const site = siteUrl !== null && isSiteAddress(io.config, siteUrl) ? siteUrl : webBase(io.config);
  return {
    accessToken: app.accessToken,
    accessTokenExpiresAt: app.expiresAt,
    refreshToken: null,
    account: { externalId: siteId, name: nameOf(siteUrl) ?? siteId, type: "site" },
    details: {
      cloudId: siteId,
      siteUrl: site,
      accountId: me.accountId,
      fullName: me.displayName,
      timeZone: me.timeZone,
    },
  };
}

/** The first label of the site's host name, as Atlassian names sites. */
const nameOf = (siteUrl: string | null) =>
  siteUrl !== null && URL.canParse(siteUrl) ? (new URL(siteUrl).hostname.split(".")[0] ?? null) : null;
