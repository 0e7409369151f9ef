import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Grant } from "#connectors/contract/platform-connector.ts";
import { recordAction } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, RequestServices, SessionServices, Uses } from "#core/services.ts";
import { type ConnectionRow, findConnectionRow } from "../connection.store.ts";
import { saveGivenCredential } from "../credential.store.ts";
import { connectorOf, methodOf, openTokenSession, sealTokens } from "../open-session.ts";
import { type ConnectionScope, doneBy, requireAccount } from "../require-connection.ts";
import { resumeConnection } from "../resume-connection.ts";
import { toConnectionView } from "../to-views.ts";
import { translateFailure } from "../translate-failure.ts";
import type { ConnectionView } from "../views.ts";
import { reachAccount } from "./reach-account.ts";

/**
 * Replaces the connected account's preferred credential with a token entered by hand. Paused backups continue. The token must belong
 * to the account itself, or to an account that the platform lets into it. Backed-up data is not touched.
 *
 * @throws AppError `err.account.token`, `err.connection.other`, `err.role.forbidden`, `err.connection.missing`
 */
export async function replaceToken(
  s: AccessServices & SessionServices & Uses<"ids" | "live">,
  member: Member,
  input: ConnectionScope & { accessToken: string },
): Promise<ConnectionView> {
  const { connection } = await requireAccount(s, member, input, "own");
  const grant = await readToken(s, input.platform, input.accessToken);
  await requireReach(s, connection, grant);
  const { organisationId, id: connectionId } = connection;
  const authMethod = methodOf(s, { platform: input.platform, authMethod: null });
  const sealed = await sealTokens(s, { ...connection, authMethod }, grant);
  const { accessTokenExpiresAt } = grant;
  await resumeConnection(s, connection);
  await saveGivenCredential(
    s.control,
    { organisationId, connectionId },
    { authMethod, ...sealed, accessTokenExpiresAt, grantId: null, tokenVersion: 1 },
    grant.account.externalId === connection.externalId ? null : grant.account.name,
  );
  await recordAction(s, {
    ...doneBy(member, input.platform),
    action: "replace-token",
    subject: connection.name,
  });
  await s.live.publish(organisationId, [
    { method: "connection-changed", platform: input.platform, connectionId },
  ]);
  return toConnectionView(
    s,
    (await findConnectionRow(s.control, organisationId, connectionId)) ?? connection,
  );
}

async function readToken(
  s: Uses<"clock" | "fetch" | "connectors" | "connectorConfig">,
  platform: string,
  accessToken: string,
): Promise<Grant> {
  const { authoriser } = connectorOf(s, platform);
  if (!authoriser.readToken) throw new AppError("err.account.token");
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  try {
    return await authoriser.readToken(io, accessToken.trim());
  } catch (cause) {
    if (cause instanceof ConnectorError && (cause.kind === "unauthorized" || cause.kind === "forbidden")) {
      throw new AppError("err.account.token", { cause });
    }
    throw translateFailure(cause);
  }
}

async function requireReach(s: RequestServices, connection: ConnectionRow, grant: Grant): Promise<void> {
  if (grant.account.externalId === connection.externalId) return;
  const { platform, name } = connection;
  const session = openTokenSession(
    s,
    {
      platform,
      externalId: grant.account.externalId,
      details: grant.details,
      accountName: grant.account.name,
      authMethod: methodOf(s, { platform, authMethod: null }),
    },
    grant.accessToken,
  );
  const answer = await reachAccount(s, { platform, session, name });
  if (answer.kind === "found" && answer.account.externalId === connection.externalId) return;
  throw new AppError("err.connection.other", {
    message: `This token belongs to ${grant.account.name}, which does not reach ${name}. Nothing was changed.`,
  });
}
