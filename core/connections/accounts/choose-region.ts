import type { PlatformAccount } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, MailServices, Uses } from "#core/services.ts";
import { type ConnectionRow, findConnectionRow, listConnectionRows } from "../connection.store.ts";
import { type ConnectionScope, requireAccount, requireRight } from "../require-connection.ts";
import type { ConnectionView } from "../views.ts";
import { replaceAccount } from "./change-account.ts";
import { findChosenRegion, saveChosenRegion } from "./chosen-region.store.ts";

/**
 * Saves the region of a platform (spec P-409, B-195). Before an account is connected this is a preference that every
 * manager may change. A connected account cannot be moved: in another region it starts again and all its backups are
 * deleted (spec B-194), so only the owner may do that.
 *
 * @throws AppError `err.role.forbidden`, `err.platform.unknown`, `err.plan.required`, and `err.connection.unauthorized`
 *   for an account that must be reconnected first
 * @returns The account in that region, which is a new connection if it was moved; null when none is connected.
 */
export async function chooseRegion(
  s: AccessServices & MailServices & Uses<"live">,
  member: Member,
  { region, ...scope }: ConnectionScope & { region: Region },
): Promise<{ platform: string; region: Region; connectionId: string | null }> {
  const { platform } = scope;
  await requireRight(s, member, platform, "manage");
  const { organisationId } = member;
  const rows = await listConnectionRows(s.control, organisationId, platform);
  if (rows.length === 0) {
    await saveChosenRegion(s.control, { organisationId, platform }, { region, now: s.clock.now() });
    return { platform, region, connectionId: null };
  }
  const { connection: meant } = await requireAccount(s, member, scope, "manage");
  const those = scope.connectionId ? [meant] : rows;
  if (those.every((row) => row.region === region)) return { platform, region, connectionId: meant.id };
  const { connection } = await requireAccount(s, member, scope, "own");
  const moved = await moveAccount(s, member, connection, region);
  return { platform, region, connectionId: moved.id };
}

/** Returns the region saved for a platform's first account. Null = none yet. */
export async function savedRegion(
  s: Uses<"control">,
  { organisationId }: Pick<Member, "organisationId">,
  platform: string,
): Promise<Region | null> {
  return findChosenRegion(s.control, { organisationId, platform });
}

async function moveAccount(
  s: MailServices & Uses<"connectors" | "live">,
  member: Member,
  old: ConnectionRow,
  region: Region,
): Promise<ConnectionView> {
  if (old.status !== "active") throw new AppError("err.connection.unauthorized");
  const current = await findConnectionRow(s.control, old.organisationId, old.id);
  if (!current) throw new AppError("err.connection.missing");
  const { externalId, name, accountType: type } = current;
  const account: PlatformAccount = { externalId, name, type };
  return replaceAccount(s, member, {
    old: current,
    credentials: { granted: null },
    account,
    isConfirmed: current.isConfirmed,
    grantName: current.grantName,
    details: current.details as Json,
    isAutoAdd: current.isAutoAdd,
    region,
  });
}
