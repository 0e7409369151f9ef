import { and, count, desc, eq, gt, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import { auditEntry } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

export type AuditRow = typeof auditEntry.$inferSelect;

/** The part of the trail to read: all of it, or one person's actions and everything on some platforms. */
export type AuditScope = {
  organisationId: string;
  only: { userId: string; platforms: readonly string[] } | null;
};

/** The statement that inserts an entry if `when` holds. An occasion that is already written stays unchanged. */
export function insertAuditEntry(control: ControlDatabase, row: AuditRow, when: SQL = sql`true`) {
  return control
    .insert(auditEntry)
    .select(
      sql`select ${row.id}, ${row.organisationId}, ${row.userId}, ${row.userName}, ${row.action},
        ${row.platform}, ${row.subject}, ${row.occasion}, ${row.createdAt}, ${row.outcome}, ${row.ip},
        ${row.versionId} where ${when}`,
    )
    .onConflictDoNothing({ target: [auditEntry.organisationId, auditEntry.occasion] });
}

/** Inserts many entries in one statement. Occasions that are already written stay unchanged. */
export async function insertAuditEntries(control: ControlDatabase, rows: readonly AuditRow[]): Promise<void> {
  const json = JSON.stringify(
    rows.map((row) => [
      row.id,
      row.organisationId,
      row.userId,
      row.userName,
      row.action,
      row.platform,
      row.subject,
      row.occasion,
      row.createdAt,
      row.outcome,
      row.ip,
      row.versionId,
    ]),
  );
  await control
    .insert(auditEntry)
    .select(
      sql`select value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8,
        value->>9, value->>10, value->>11 from json_each(${json}) where true`,
    )
    .onConflictDoNothing({ target: [auditEntry.organisationId, auditEntry.occasion] });
}

/** A position in the trail. Entries after it are older. */
export type AuditCursor = { createdAt: number; id: string };

/** Entries, newest first: those older than `before`, after skipping `skip`. */
export async function listAuditRows(
  control: ControlDatabase,
  scope: AuditScope,
  { before, skip, limit }: { before: AuditCursor | null; skip: number; limit: number },
): Promise<AuditRow[]> {
  const isOlder = before
    ? or(
        lt(auditEntry.createdAt, before.createdAt),
        and(eq(auditEntry.createdAt, before.createdAt), lt(auditEntry.id, before.id)),
      )
    : undefined;
  return control
    .select()
    .from(auditEntry)
    .where(and(inScope(scope), isOlder))
    .orderBy(desc(auditEntry.createdAt), desc(auditEntry.id))
    .limit(limit)
    .offset(skip);
}

/** The number of entries. */
export async function countAuditRows(control: ControlDatabase, scope: AuditScope): Promise<number> {
  const [row] = await control.select({ total: count() }).from(auditEntry).where(inScope(scope));
  return row?.total ?? 0;
}

/** How often an action was recorded after `since`. */
export async function countActionRows(
  control: ControlDatabase,
  { organisationId, action, since }: { organisationId: string; action: string; since: number },
): Promise<number> {
  const [row] = await control
    .select({ total: count() })
    .from(auditEntry)
    .where(
      and(
        eq(auditEntry.organisationId, organisationId),
        eq(auditEntry.action, action),
        gt(auditEntry.createdAt, since),
      ),
    );
  return row?.total ?? 0;
}

function inScope({ organisationId, only }: AuditScope): SQL | undefined {
  return and(
    eq(auditEntry.organisationId, organisationId),
    only
      ? or(eq(auditEntry.userId, only.userId), inArray(auditEntry.platform, [...only.platforms]))
      : undefined,
  );
}
