import { and, asc, eq, exists, gt, isNull, sql } from "drizzle-orm";
import {
  connection,
  mailOutbox,
  member,
  organisation,
  reportPreference,
  user,
} from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Preference } from "./preference.ts";

/** A person who may get reports, with all data that decides which. */
export type Reader = {
  userId: string;
  organisationId: string;
  email: string;
  /** Given and family name. */
  name: string;
  isEmailVerified: boolean;
  role: "owner" | "member";
  platformRoles: Readonly<Record<string, "admin" | "user">>;
  preference: Preference;
};

/** Defaults without a row: daily, all results, in the organisation's time zone. */
const preferenceColumns = {
  isActive: sql<number>`coalesce(${reportPreference.isActive}, 1)`,
  frequency: sql<Preference["frequency"]>`coalesce(${reportPreference.frequency}, 'daily')`,
  reportType: sql<
    Preference["reportType"]
  >`case when ${reportPreference.userId} is null then 'all' else ${reportPreference.reportType} end`,
  reportDay: reportPreference.reportDay,
  timeZone: sql<string>`coalesce(${reportPreference.timeZone}, ${organisation.timeZone})`,
};

const readerColumns = {
  ...preferenceColumns,
  userId: member.userId,
  organisationId: member.organisationId,
  email: user.email,
  name: sql<string>`trim(${user.name} || ' ' || ${user.familyName})`,
  isEmailVerified: user.emailVerified,
  role: member.role,
  platformRoles: member.platformRoles,
};

function selectReaders(control: ControlDatabase) {
  return control
    .select(readerColumns)
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .innerJoin(organisation, and(eq(organisation.id, member.organisationId), isNull(organisation.closedAt)))
    .leftJoin(reportPreference, eq(reportPreference.userId, member.userId));
}

type ReaderRow = Awaited<ReturnType<typeof selectReaders>>[number];

function toReader({ isActive, frequency, reportType, reportDay, timeZone, ...person }: ReaderRow): Reader {
  return {
    ...person,
    preference: { isActive: isActive === 1, frequency, reportType, reportDay, timeZone },
  };
}

/** Returns one person, or null. */
export async function findReader(control: ControlDatabase, userId: string): Promise<Reader | null> {
  const row = await selectReaders(control).where(eq(member.userId, userId)).get();
  return row ? toReader(row) : null;
}

/** Lists people who want reports and whose organisation has anything to report, ordered by id, after one id. */
export async function listReaders(
  control: ControlDatabase,
  { after, limit }: { after: string; limit: number },
): Promise<Reader[]> {
  const rows = await selectReaders(control)
    .where(
      and(
        gt(member.userId, after),
        eq(user.emailVerified, true),
        sql`coalesce(${reportPreference.isActive}, 1) = 1`,
        exists(
          control
            .select({ one: sql`1` })
            .from(connection)
            .where(eq(connection.organisationId, member.organisationId)),
        ),
      ),
    )
    .orderBy(asc(member.userId))
    .limit(limit);
  return rows.map(toReader);
}

/** Statement that writes a person's whole preference. */
export function savePreferenceRow(
  control: ControlDatabase,
  { userId, preference, now }: { userId: string; preference: Preference; now: number },
) {
  const row = { ...preference, updatedAt: now };
  return control
    .insert(reportPreference)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: reportPreference.userId, set: row });
}

/** Statement that changes only the switch, whatever is saved concurrently. `rest` is written when there is no row. */
export function saveSwitch(
  control: ControlDatabase,
  order: { userId: string; isActive: boolean; timeZone: string | undefined; rest: Preference; now: number },
) {
  const { userId, isActive, timeZone, now } = order;
  const change = { isActive, ...(timeZone === undefined ? {} : { timeZone }), updatedAt: now };
  return control
    .insert(reportPreference)
    .values({ ...order.rest, ...change, userId })
    .onConflictDoUpdate({ target: reportPreference.userId, set: change });
}

/** Returns which of these occasions are already in the outbox. */
export async function listWritten(
  control: ControlDatabase,
  occasions: readonly string[],
): Promise<Set<string>> {
  const rows = await control
    .select({ occasion: mailOutbox.occasion })
    .from(mailOutbox)
    .where(sql`${mailOutbox.occasion} IN (SELECT value FROM json_each(${JSON.stringify(occasions)}))`);
  return new Set(rows.map((row) => row.occasion));
}

/** Lists the regions of an organisation's connections. */
export async function listRegions(control: ControlDatabase, organisationId: string): Promise<Region[]> {
  const rows = await control
    .selectDistinct({ region: connection.region })
    .from(connection)
    .where(eq(connection.organisationId, organisationId));
  return rows.map((row) => row.region);
}
