import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Authorised } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { getOrganisationKey, type Member } from "#core/organisations/index.ts";
import type { MailServices, SessionServices, Uses } from "#core/services.ts";
import { openSecret } from "#core/vault/index.ts";
import { connectorOf, methodOf } from "../open-session.ts";
import { translateFailure } from "../translate-failure.ts";
import { type Completed, settleChoice } from "./account-choice.ts";
import { type AuthorisationRow, takeAuthorisation } from "./authorisation.store.ts";
import { VERIFIER_PURPOSE } from "./begin-authorisation.ts";
import { connectGrant } from "./connect-grant.ts";
import { requireStanding } from "./require-standing.ts";

/**
 * Finishes connecting, or leaves a choice among several accounts. The state works once, for the person who began. The
 * code is exchanged for tokens, which are sealed before they are stored. For an account that is already connected this
 * renews the grant, and paused backups continue.
 *
 * @throws AppError `err.connection.state`, `err.role.forbidden`, `err.plan.required`, `err.platform.unavailable`,
 *   `err.connection.missing`, `err.connection.exists`, `err.connection.other`, `err.account.none`, `err.app.missing`
 */
export async function completeAuthorisation(
  s: SessionServices & MailServices & Uses<"memory" | "ledger" | "live">,
  member: Member,
  input: { platform: string; state: string; code: string; redirectUri: string },
): Promise<Completed> {
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
  const authorised = await tradeCode(s, begun, input);
  if (authorised.kind === "candidates") return settleChoice(s, member, begun, authorised);
  return { kind: "connected", connections: [await connectGrant(s, member, begun, authorised.grant)] };
}

/** Ends an authorisation without an account: its state can no longer be used by anyone. */
export async function declineAuthorisation(
  s: Uses<"clock" | "control">,
  { organisationId, userId }: Pick<Member, "organisationId" | "userId">,
  { platform, state }: { platform: string; state: string },
): Promise<void> {
  const stateHash = await sha256Hex(state);
  await takeAuthorisation(s.control, { stateHash, organisationId, userId, platform, now: s.clock.now() });
}

async function tradeCode(
  s: Uses<"clock" | "fetch" | "control" | "connectors" | "connectorConfig" | "settings">,
  begun: AuthorisationRow,
  { platform, code, redirectUri }: { platform: string; code: string; redirectUri: string },
): Promise<Authorised> {
  const key = await getOrganisationKey(s, begun.organisationId);
  const codeVerifier = await openSecret(
    key,
    { purpose: VERIFIER_PURPOSE, ownerId: begun.stateHash },
    begun.sealedCodeVerifier,
  );
  const io = { config: s.connectorConfig, fetch: s.fetch, clock: s.clock };
  return connectorOf(s, platform)
    .authoriser.exchange(io, { authMethod: methodOf(s, begun), code, codeVerifier, redirectUri })
    .catch((cause: unknown) => {
      if (cause instanceof ConnectorError && cause.kind === "unauthorized") {
        throw new AppError("err.connection.state", { cause });
      }
      throw translateFailure(cause);
    });
}
