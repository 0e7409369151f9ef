import { asc, desc, eq, gt, sql } from "drizzle-orm";
import { auditEntry, auditSeal, auditWaiting } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { AuditRow } from "./audit.store.ts";

export type SealRow = typeof auditSeal.$inferSelect;

/** The end of the chain. `seq` 0 = it is empty. */
export type ChainHead = Pick<SealRow, "seq" | "hash">;

/** The last link, or null. */
export async function findHead(control: ControlDatabase): Promise<ChainHead | null> {
  const [head] = await headOf(control);
  return head ?? null;
}

const headOf = (control: ControlDatabase) =>
  control
    .select({ seq: auditSeal.seq, hash: auditSeal.hash })
    .from(auditSeal)
    // The whole chain, by its key: without a bound the plan would name a scan.
    .where(gt(auditSeal.seq, 0))
    .orderBy(desc(auditSeal.seq))
    .limit(1);

/** The last link and the entries that wait to follow it, in the order of their commits, as of one moment. */
export async function readWaiting(
  control: ControlDatabase,
  limit: number,
): Promise<{ head: ChainHead | null; entries: AuditRow[] }> {
  const [[head], rows] = await control.batch([
    headOf(control),
    control
      .select({ entry: auditEntry })
      .from(auditWaiting)
      .innerJoin(auditEntry, eq(auditEntry.id, auditWaiting.entryId))
      .where(gt(auditWaiting.position, 0))
      .orderBy(asc(auditWaiting.position))
      .limit(limit),
  ]);
  return { head: head ?? null, entries: rows.map(({ entry }) => entry) };
}

/**
 * Appends links if the chain still ends at `after`, and takes their entries off the waiting list, in one batch. Of two
 * that append to the same end, one writes nothing.
 * @returns whether the links were written
 */
export async function appendSeals(
  control: ControlDatabase,
  after: number,
  seals: readonly SealRow[],
): Promise<boolean> {
  const [written] = await commitTogether(control, [
    statement(
      control,
      `INSERT INTO audit_seal (seq, entry_id, salt, personal_hash, payload_hash, hash)
       SELECT value->>'seq', value->>'entryId', value->>'salt', value->>'personalHash', value->>'payloadHash',
         value->>'hash' FROM json_each(?1)
       WHERE (SELECT coalesce(max(seq), 0) FROM audit_seal) = ?2 RETURNING seq`,
      JSON.stringify(seals),
      after,
    ),
    statement(
      control,
      `DELETE FROM audit_waiting WHERE entry_id IN (SELECT value->>'entryId' FROM json_each(?1))
       AND EXISTS (SELECT 1 FROM audit_seal WHERE audit_seal.entry_id = audit_waiting.entry_id)`,
      JSON.stringify(seals),
    ),
  ]);
  return (written?.results ?? []).length > 0;
}

/** A link and its entry; null = the entry is gone. */
export type SealedEntry = { seal: SealRow; entry: AuditRow | null };

/** Links after `seq`, in order. */
export async function listSealed(
  control: ControlDatabase,
  { after, limit }: { after: number; limit: number },
): Promise<SealedEntry[]> {
  return control
    .select({ seal: auditSeal, entry: auditEntry })
    .from(auditSeal)
    .leftJoin(auditEntry, eq(auditEntry.id, auditSeal.entryId))
    .where(gt(auditSeal.seq, after))
    .orderBy(asc(auditSeal.seq))
    .limit(limit);
}

/** An entry that neither has a link nor waits for one, and a waiting one that is gone: the first of each, or null. */
export async function findStrays(
  control: ControlDatabase,
): Promise<{ inserted: string | null; removed: string | null; waiting: number }> {
  const [row] = await control.all<{ inserted: string | null; removed: string | null; waiting: number }>(sql`
    SELECT
      (SELECT id FROM audit_entry e WHERE NOT EXISTS (SELECT 1 FROM audit_seal s WHERE s.entry_id = e.id)
        AND NOT EXISTS (SELECT 1 FROM audit_waiting w WHERE w.entry_id = e.id)
        ORDER BY e.created_at, e.id LIMIT 1) AS inserted,
      (SELECT w.entry_id FROM audit_waiting w WHERE NOT EXISTS (SELECT 1 FROM audit_entry e WHERE e.id = w.entry_id)
        ORDER BY w.position LIMIT 1) AS removed,
      (SELECT count(*) FROM audit_waiting) AS waiting`);
  return row ?? { inserted: null, removed: null, waiting: 0 };
}
