import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Grant } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { getOrganisationKey, type Member, requireOwner } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import { openSecret } from "#core/vault/index.ts";
import { type AuthorisationRow, listConnectionRows, takeAuthorisation } from "../connection.store.ts";
import { connectorOf } from "../open-session.ts";
import { requireRight } from "../require-connection.ts";
import { translateFailure } from "../translate-failure.ts";
import type { ConnectionView } from "../views.ts";
import { VERIFIER_PURPOSE } from "./begin-authorisation.ts";
import { connectGrant } from "./connect-grant.ts";

/**
 * Ends connecting: the state answers once, for the person who began; the code is traded for tokens, which are
 * sealed before they are stored. An account that is connected already renews its grant and lets paused backups go on.
 *
 * @throws AppError `err.connection.state`, `err.role.forbidden`, `err.plan.required`, `err.platform.unavailable`,
 *   `err.connection.missing`, `err.connection.exists`, `err.connection.other`, `err.app.missing`
 */
export async function completeAuthorisation(
  s: CoreServices,
  member: Member,
  input: { platform: string; state: string; code: string; redirectUri: string },
): Promise<ConnectionView> {
  if (!s.connectors.has(input.platform)) throw new AppError("err.platform.unknown");
  const begun = await takeAuthorisation(s.control, {
    stateHash: await sha256Hex(input.state),
    organisationId: member.organisationId,
    userId: member.userId,
    platform: input.platform,
    now: s.clock.now(),
  });
  if (!begun) throw new AppError("err.connection.state");
  await requireStanding(s, member, input.platform);
  const grant = await tradeCode(s, begun, input);
  return connectGrant(s, member, begun, grant);
}

/** The right to connect may have been taken between consent and return. @throws AppError as `beginAuthorisation` */
async function requireStanding(s: CoreServices, member: Member, platform: string): Promise<void> {
  await requireRight(s, member, platform, "manage");
  const rows = await listConnectionRows(s.control, member.organisationId, platform);
  if (rows.length > 0) requireOwner(member);
}

/** Ends connecting without an account: what was begun cannot be used any more, whoever comes back with it. */
export async function declineAuthorisation(
  s: Pick<CoreServices, "control" | "clock">,
  { organisationId, userId }: Pick<Member, "organisationId" | "userId">,
  { platform, state }: { platform: string; state: string },
): Promise<void> {
  const stateHash = await sha256Hex(state);
  await takeAuthorisation(s.control, { stateHash, organisationId, userId, platform, now: s.clock.now() });
}

async function tradeCode(
  s: CoreServices,
  begun: AuthorisationRow,
  { platform, code, redirectUri }: { platform: string; code: string; redirectUri: string },
): Promise<Grant> {
  const key = await getOrganisationKey(s, begun.organisationId);
  const codeVerifier = await openSecret(
    key,
    { purpose: VERIFIER_PURPOSE, ownerId: begun.stateHash },
    begun.sealedCodeVerifier,
  );
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  return connectorOf(s, platform)
    .authoriser.exchange(io, { code, codeVerifier, redirectUri })
    .catch((cause: unknown) => {
      if (cause instanceof ConnectorError && cause.kind === "unauthorized") {
        throw new AppError("err.connection.state", { cause });
      }
      throw translateFailure(cause);
    });
}
