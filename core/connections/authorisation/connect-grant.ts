import type { Grant } from "#connectors/contract/platform-connector.ts";
import { auditStatement } from "#core/audit/index.ts";
import { startTrial } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Member } from "#core/organisations/index.ts";
import type { MailServices, RequestServices, SessionServices, Uses } from "#core/services.ts";
import { mailCode } from "../accounts/account-code.ts";
import { replaceAccount } from "../accounts/change-account.ts";
import { alreadyConnected, installDetails, isSameName, reachAccount } from "../accounts/reach-account.ts";
import {
  type ConnectionRow,
  listConnectionRows,
  type NewConnection,
  saveConnection,
} from "../connection.store.ts";
import type { NewCredential } from "../credential.store.ts";
import { connectorOf, methodOf, openTokenSession, sealTokens } from "../open-session.ts";
import { doneBy } from "../require-connection.ts";
import { resumeConnection } from "../resume-connection.ts";
import { toConnectionView } from "../to-views.ts";
import type { ConnectionView } from "../views.ts";
import type { AuthorisationRow } from "./authorisation.store.ts";

/** What a grant is for: the part of a pending authorisation that connecting needs. */
export type GrantOrder = Pick<
  AuthorisationRow,
  "stateHash" | "platform" | "region" | "replacesId" | "renewsId" | "authMethod" | "accountName" | "isAutoAdd"
>;

/** The account that a grant connects, and whether that account itself gave the grant. */
type ChosenAccount = { account: Grant["account"]; isConfirmed: boolean; grantName: string | null };

/** Tokens shared by several connections have the same version in all of them. */
export type SharedTokens = { grantId: string; tokenVersion: number };

/**
 * Connects the account of a grant as requested: in addition to the others, as a renewal, or in place of a connected
 * one. The first connection of a platform starts its trial.
 *
 * @param shared - For tokens that several accounts share; null = only this account uses them.
 * @throws AppError `err.connection.missing`, `err.connection.exists`, `err.connection.other`, `err.app.missing`
 */
export async function connectGrant(
  s: SessionServices & MailServices & Uses<"memory" | "ledger" | "live">,
  member: Member,
  begun: GrantOrder,
  grant: Grant,
  shared: SharedTokens | null = null,
): Promise<ConnectionView> {
  const { organisationId } = member;
  const { platform } = begun;
  const rows = await listConnectionRows(s.control, organisationId, platform);
  const meant = namedRow(rows, begun);
  const wanted = begun.accountName ?? nameToReach(meant, begun);
  const authMethod = methodOf(s, begun);
  const chosen = await chooseAccount(s, { platform, wanted, grant, authMethod });
  const { account } = chosen;
  const same = rows.find(({ externalId }) => externalId === account.externalId) ?? null;
  const granted: NewCredential = {
    authMethod,
    ...(await sealTokens(s, { organisationId, platform, externalId: account.externalId, authMethod }, grant)),
    accessTokenExpiresAt: grant.accessTokenExpiresAt,
    grantId: shared?.grantId ?? null,
    tokenVersion: shared?.tokenVersion ?? 1,
  };
  const isAutoAdd = begun.isAutoAdd ?? false;
  if (meant !== null && same?.id !== meant.id) {
    if (begun.renewsId !== null) throw anotherAccount(s, meant, account.name);
    if (same) throw alreadyConnected(account.name);
    const change = { ...chosen, old: meant, credentials: { granted }, details: grant.details, isAutoAdd };
    return replaceAccount(s, member, change);
  }
  if (same) await resumeConnection(s, same);
  const details = detailsWith(same, grant, authMethod);
  const row = await storeGrant(s, member, begun, { chosen, granted, details, isAutoAdd });
  await startTrial(s, organisationId, platform, (isStarted) =>
    auditStatement(s, { ...doneBy(member, platform), action: "start-trial" }, isStarted),
  );
  await s.live.publish(organisationId, [{ method: "connection-changed", platform, connectionId: row.id }]);
  if (!row.isConfirmed) await mailCode(s, row);
  return toConnectionView(s, row);
}

/** Stores the connection with its entry in the audit trail. */
function storeGrant(
  s: Uses<"clock" | "ids" | "control">,
  member: Member,
  begun: GrantOrder,
  {
    chosen: { account, isConfirmed, grantName },
    granted,
    ...facts
  }: { chosen: ChosenAccount; granted: NewCredential } & Pick<NewConnection, "details" | "isAutoAdd">,
): Promise<ConnectionRow> {
  const { platform, region } = begun;
  const entry = auditStatement(s, {
    ...doneBy(member, platform),
    action: "connect-account",
    subject: account.name,
    occasion: `connect:${begun.stateHash}:${account.externalId}`,
  });
  const row: NewConnection = {
    ...facts,
    id: s.ids.next("connection"),
    organisationId: member.organisationId,
    platform,
    region,
    externalId: account.externalId,
    name: account.name,
    accountType: account.type,
    isConfirmed,
    grantName,
    now: s.clock.now(),
  };
  return saveConnection(s.control, row, granted, entry);
}

/** The grant's details, merged with the stored ones when another method's credential may need those. */
function detailsWith(same: ConnectionRow | null, grant: Grant, authMethod: string): Json {
  const stored = same?.details as Json | undefined;
  const hasOthers = same?.credentials.some((each) => each.authMethod !== authMethod);
  return hasOthers && isObject(stored) && isObject(grant.details)
    ? { ...stored, ...grant.details }
    : grant.details;
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The connection to renew or change; null = none was named. @throws AppError `err.connection.missing` */
export function namedRow(
  rows: readonly ConnectionRow[],
  begun: Pick<AuthorisationRow, "replacesId" | "renewsId">,
): ConnectionRow | null {
  const namedId = begun.replacesId ?? begun.renewsId;
  if (namedId === null) return null;
  const meant = rows.find(({ id }) => id === namedId);
  if (!meant) throw new AppError("err.connection.missing");
  return meant;
}

/**
 * The name of the account to reach; null = the account renews its own grant. An account reached through another one is
 * renewed by that one's consent.
 */
const nameToReach = (meant: ConnectionRow | null, { renewsId }: Pick<AuthorisationRow, "renewsId">) =>
  renewsId !== null && meant !== null && meant.grantName !== null ? meant.name : null;

/** The named account, or the one that gave the grant. An account reached through another one waits for its code. */
async function chooseAccount(
  s: RequestServices,
  {
    platform,
    wanted,
    grant,
    authMethod,
  }: { platform: string; wanted: string | null; grant: Grant; authMethod: string },
): Promise<ChosenAccount> {
  if (wanted === null || isSameName(wanted, grant.account.name)) {
    return { account: grant.account, isConfirmed: true, grantName: null };
  }
  const { externalId, name: accountName } = grant.account;
  const session = openTokenSession(
    s,
    { platform, externalId, details: grant.details, accountName, authMethod },
    grant.accessToken,
  );
  const answer = await reachAccount(s, { platform, session, name: wanted });
  if (answer.kind === "missing") {
    throw new AppError("err.app.missing", { details: installDetails(s, platform) });
  }
  return { account: answer.account, isConfirmed: answer.isOwn, grantName: answer.isOwn ? null : accountName };
}

function anotherAccount(s: Uses<"connectors">, meant: ConnectionRow, name: string): AppError {
  const { label } = connectorOf(s, meant.platform).descriptor;
  return new AppError("err.connection.other", {
    message: `${label} answered for ${name}, but ${meant.name} is the account to renew. Nothing was changed. Add ${name} as another account, or choose “Change account” if it should take the place of ${meant.name}; this deletes the backups of ${meant.name}.`,
  });
}
