import type { Grant } from "#connectors/contract/platform-connector.ts";
import { auditStatement } from "#core/audit/index.ts";
import { failedConstraint } from "#core/database/failed-constraint.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, MailServices, SessionServices, Uses } from "#core/services.ts";
import { type ConnectionRow, findConnectionRow, type NewConnection } from "../connection.store.ts";
import { connectorOf, openSession, resealCredential } from "../open-session.ts";
import { type CarriedCredentials, isRemoved, replaceConnection } from "../removed-connection.store.ts";
import { type ConnectionScope, doneBy, requireAccount } from "../require-connection.ts";
import { emptyJobOf } from "../sweep-removed-connections.ts";
import { toConnectionView } from "../to-views.ts";
import type { ConnectionView } from "../views.ts";
import { mailCode } from "./account-code.ts";
import {
  alreadyConnected,
  checkedAccountName,
  installDetails,
  isSameName,
  reachAccount,
} from "./reach-account.ts";

/**
 * Changes the connected account to another one, given by name, that the same grant reaches. All backups of the former
 * account are permanently deleted (spec P-226); the screen makes the user type a confirmation. Unless the account
 * itself gave the grant, it must be confirmed with a code.
 *
 * @throws AppError `err.account.missing` (404, with the address where the app is installed), `err.role.forbidden`,
 *   `err.request.invalid`, `err.connection.exists`, `err.connection.unauthorized`
 */
export async function changeAccountByName(
  s: AccessServices & SessionServices & MailServices & Uses<"live">,
  member: Member,
  input: ConnectionScope & { name: string },
): Promise<ConnectionView> {
  const { connection } = await requireAccount(s, member, input, "own");
  const name = checkedAccountName(s, input.platform, input.name);
  if (isSameName(name, connection.name)) {
    throw new AppError("err.request.invalid", { message: `${connection.name} is connected already.` });
  }
  const session = openSession(s, connection);
  const answer = await reachAccount(s, { platform: input.platform, session, name });
  if (answer.kind === "missing") {
    const { label } = connectorOf(s, input.platform).descriptor;
    throw new AppError("err.account.missing", {
      message: `${label} does not let us into an account named ${name}. Install the app there first.`,
      details: installDetails(s, input.platform),
    });
  }
  // The request may have renewed the token or found it lost.
  const current = await findConnectionRow(s.control, connection.organisationId, connection.id);
  if (!current) throw new AppError("err.connection.missing");
  const { account, isOwn } = answer;
  const view = await replaceAccount(s, member, {
    old: current,
    credentials: { granted: await resealCredential(s, current, account.externalId), isCarried: true },
    account,
    isConfirmed: isOwn,
    grantName: isOwn ? null : (current.grantName ?? current.name),
    details: current.details as Json,
    isAutoAdd: false,
  });
  return view;
}

/**
 * Replaces the connected account with another one and deletes all data of the former. @throws AppError
 * `err.connection.missing` when another request came first, `err.connection.exists` when the account is already
 * connected
 */
export async function replaceAccount(
  s: MailServices & Uses<"connectors" | "live">,
  member: Member,
  change: {
    old: ConnectionRow;
    credentials: CarriedCredentials;
    account: Grant["account"];
    isConfirmed: boolean;
    grantName: string | null;
    details: Json;
    isAutoAdd: boolean;
    /** Region of the new connection. Defaults to the region of the former one. */
    region?: Region;
  },
): Promise<ConnectionView> {
  const { old, account } = change;
  const { organisationId, platform } = old;
  const region = change.region ?? old.region;
  const isMove = region !== old.region;
  const id = s.ids.next("connection");
  const now = s.clock.now();
  const removal = { removalId: id, old, removedBy: member.userId, now };
  const entry = auditStatement(
    s,
    {
      ...doneBy(member, platform),
      action: isMove ? "change-region" : "change-account",
      subject: isMove ? `${account.name}: ${old.region} → ${region}` : `${old.name} → ${account.name}`,
      occasion: `change-account:${old.id}`,
    },
    isRemoved(removal),
  );
  const row: NewConnection = {
    id,
    organisationId,
    platform,
    region,
    externalId: account.externalId,
    name: account.name,
    accountType: account.type,
    details: change.details,
    isAutoAdd: change.isAutoAdd,
    isConfirmed: change.isConfirmed,
    grantName: change.grantName,
    now,
  };
  const isDone = await replaceConnection(s.control, removal, { row, ...change.credentials }, entry).catch(
    (cause: unknown) => {
      throw failedConstraint(cause)?.startsWith("connection.") ? alreadyConnected(account.name) : cause;
    },
  );
  if (!isDone) throw new AppError("err.connection.missing");
  await s.queue.send([emptyJobOf({ organisationId, connectionId: old.id })]);
  await s.live.publish(organisationId, [
    { method: "connection-changed", platform, connectionId: id },
    { method: "items-changed", platform, connectionId: old.id, ids: [] },
  ]);
  const stored = await findConnectionRow(s.control, organisationId, id);
  if (!stored) throw new AppError("err.connection.missing");
  if (!stored.isConfirmed) await mailCode(s, stored);
  return toConnectionView(s, stored);
}
