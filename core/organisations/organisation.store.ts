import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { ledgerShard, member, organisation, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";

/** How long a deployment may take to be everywhere; objects of the old one end by then. */
const SHARD_SETTLED_MS = HOUR_MS;
/** Ledgers are measured every hour; a tick may be skipped. */
const SHARD_SILENT_MS = 3 * HOUR_MS;

/** A person's given and family name as one string; old accounts have only the first. */
const fullName = sql<string>`trim(${user.name} || ' ' || ${user.familyName})`;

/**
 * Statements that insert an organisation and its owner. An owner who already has one keeps it; an unknown person gets
 * none.
 */
export function insertOrganisation(
  control: ControlDatabase,
  row: { id: string; memberId: string; ownerUserId: string; wrappedKey: string; now: number },
) {
  return [
    control
      .insert(organisation)
      .select(
        sql`select ${row.id}, '', 'User', ${user.id}, ${row.wrappedKey}, 'UTC', ${row.now}, null, ${emptiestShards(row.now)} from ${user} where ${user.id} = ${row.ownerUserId}`,
      )
      .onConflictDoNothing({ target: organisation.ownerUserId }),
    // The stored organisation, which after a race is not the one above.
    control
      .insert(member)
      .select(
        sql`select ${row.memberId}, ${organisation.id}, ${organisation.ownerUserId}, 'owner', '{}', ${row.now} from ${organisation} where ${organisation.ownerUserId} = ${row.ownerUserId}`,
      )
      .onConflictDoNothing(),
  ] as const;
}

/**
 * A subquery: the emptiest ledger of each region that has several, as JSON; null where none has. One that was found only
 * now is not taken: isolates of the deployment before do not know it yet. Nor is one that has not answered lately.
 */
function emptiestShards(now: number) {
  return sql`(select nullif(json_group_object(region, name), '{}') from (
    select region, name, min(size_bytes) from ${ledgerShard}
    where since <= ${now - SHARD_SETTLED_MS} and measured_at >= ${now - SHARD_SILENT_MS} group by region))`;
}

/** Returns the organisation's wrapped vault key as text. Null when it was deleted or the organisation is unknown. */
export async function findWrappedKey(
  control: ControlDatabase,
  organisationId: string,
): Promise<string | null> {
  const row = await control
    .select({ wrappedKey: organisation.wrappedKey })
    .from(organisation)
    .where(eq(organisation.id, organisationId))
    .get();
  return row?.wrappedKey ?? null;
}

/** The organisation of which a person is a member; null for somebody who is of none. */
export async function findOrganisationOf(control: ControlDatabase, userId: string): Promise<string | null> {
  const row = await control
    .select({ organisationId: member.organisationId })
    .from(member)
    .where(eq(member.userId, userId))
    .get();
  return row?.organisationId ?? null;
}

/** Lists all members of an organisation, its owner first. Nobody is a member of a closed account. */
export async function listMemberRows(control: ControlDatabase, organisationId: string) {
  return control
    .select({
      userId: member.userId,
      organisationId: member.organisationId,
      name: fullName,
      email: user.email,
      role: member.role,
      platformRoles: member.platformRoles,
      timeZone: organisation.timeZone,
    })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .innerJoin(organisation, eq(organisation.id, member.organisationId))
    .where(and(eq(member.organisationId, organisationId), isNull(organisation.closedAt)))
    .orderBy(desc(member.role), asc(member.createdAt), asc(member.id));
}

/** Lists organisations whose key is wrapped under another master key. */
export async function listKeysWrappedByOthers(
  control: ControlDatabase,
  { masterVersion, limit }: { masterVersion: number; limit: number },
): Promise<{ organisationId: string; wrappedKey: string }[]> {
  const rows = await control
    .select({ organisationId: organisation.id, wrappedKey: organisation.wrappedKey })
    .from(organisation)
    .where(sql`json_extract(${organisation.wrappedKey}, '$.masterVersion') <> ${masterVersion}`)
    .limit(limit);
  return rows.flatMap(({ organisationId, wrappedKey }) =>
    wrappedKey ? [{ organisationId, wrappedKey }] : [],
  );
}

/** Replaces a wrapped key, unless it was deleted or replaced meanwhile. */
export async function replaceWrappedKey(
  control: ControlDatabase,
  exchange: { organisationId: string; from: string; to: string },
): Promise<void> {
  await control
    .update(organisation)
    .set({ wrappedKey: exchange.to })
    .where(and(eq(organisation.id, exchange.organisationId), eq(organisation.wrappedKey, exchange.from)));
}

/** Statement that sets the organisation's name or account type. */
export function updateOrganisation(
  control: ControlDatabase,
  organisationId: string,
  fields: { name: string } | { accountType: "User" | "Organization" },
) {
  return control.update(organisation).set(fields).where(eq(organisation.id, organisationId));
}
