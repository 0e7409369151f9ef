import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { auditEntry } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

export type AuditRow = typeof auditEntry.$inferSelect;

/** The part of the trail to read: all of it, or one person's actions and everything on some platforms. */
export type AuditScope = {
  organisationId: string;
  only: { userId: string; platforms: readonly string[] } | null;
  filter?: AuditFilter;
  /** Leaves out entries about a platform, of which the reader sees no more than the time. */
  hasPlatforms?: boolean;
};

/** Which entries to read. Absent = any. */
export type AuditFilter = {
  /** A person's id; null = what the product did by itself. */
  userId?: string | null;
  platform?: string;
  actions?: readonly string[];
  outcome?: "failed";
  /** From this time, and before this one; epoch ms. */
  from?: number;
  until?: number;
  /** Part of a person's name, of the subject or of an address. */
  text?: string;
};

/** The statement that inserts an entry if `when` holds. An occasion that is already written stays unchanged. */
export function insertAuditEntry(control: ControlDatabase, row: AuditRow, when: SQL = sql`true`) {
  return control
    .insert(auditEntry)
    .select(
      sql`select ${row.id}, ${row.organisationId}, ${row.userId}, ${row.userName}, ${row.action},
        ${row.platform}, ${row.subject}, ${row.occasion}, ${row.createdAt}, ${row.outcome}, ${row.ip},
        ${row.versionId}, ${row.versionTakenAt} where ${when}`,
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
      row.versionTakenAt,
    ]),
  );
  await control
    .insert(auditEntry)
    .select(
      sql`select value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8,
        value->>9, value->>10, value->>11, value->>12 from json_each(${json}) where true`,
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

/** How many entries there are of each action and result, with and without a platform. */
export type AuditCount = Pick<AuditRow, "action" | "outcome"> & { hasPlatform: boolean; total: number };

/** Counts the entries in one statement. */
export async function countAuditRows(control: ControlDatabase, scope: AuditScope): Promise<AuditCount[]> {
  const hasPlatform = sql<number>`${auditEntry.platform} is not null`;
  const rows = await control
    .select({ action: auditEntry.action, outcome: auditEntry.outcome, hasPlatform, total: count() })
    .from(auditEntry)
    .where(inScope(scope))
    .groupBy(auditEntry.action, auditEntry.outcome, hasPlatform);
  return rows.map((row) => ({ ...row, hasPlatform: row.hasPlatform === 1 }));
}

/** When the trail begins, epoch ms; null = it is empty. */
export async function findFirstTime(
  control: ControlDatabase,
  { organisationId }: { organisationId: string },
): Promise<number | null> {
  const [row] = await control
    .select({ at: auditEntry.createdAt })
    .from(auditEntry)
    .where(eq(auditEntry.organisationId, organisationId))
    .orderBy(asc(auditEntry.createdAt))
    .limit(1);
  return row?.at ?? null;
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

function inScope({ organisationId, only, filter = {}, hasPlatforms = true }: AuditScope): SQL | undefined {
  const { userId, platform, actions, outcome, from, until, text } = filter;
  const has = (column: SQLWrapper) => sql`instr(lower(${column}), ${text?.toLowerCase()}) > 0`;
  return and(
    eq(auditEntry.organisationId, organisationId),
    only
      ? or(eq(auditEntry.userId, only.userId), inArray(auditEntry.platform, [...only.platforms]))
      : undefined,
    hasPlatforms ? undefined : isNull(auditEntry.platform),
    userId === undefined
      ? undefined
      : userId === null
        ? isNull(auditEntry.userId)
        : eq(auditEntry.userId, userId),
    platform === undefined ? undefined : eq(auditEntry.platform, platform),
    actions === undefined ? undefined : inArray(auditEntry.action, [...actions]),
    outcome === undefined ? undefined : eq(auditEntry.outcome, outcome),
    from === undefined ? undefined : gte(auditEntry.createdAt, from),
    until === undefined ? undefined : lt(auditEntry.createdAt, until),
    // instr instead of LIKE: D1 limits a pattern to 50 bytes.
    text ? or(has(auditEntry.userName), has(auditEntry.subject), has(auditEntry.ip)) : undefined,
  );
}
