import { and, eq, inArray, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { mailOutbox } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/*
 * While an e-mail is queued, `sentAt` is the time before which nobody may take it: the end of the current sender's
 * lease, or of the pause after a failure. Once it is sent, `sentAt` is the time of sending.
 */

export type QueuedMail = { id: string; recipient: string; message: string; data: unknown; attempts: number };

/** Statement that writes one e-mail if `when` is true. An occasion that already exists stays unchanged. */
export function insertMail(
  control: ControlDatabase,
  row: {
    id: string;
    occasion: string;
    organisationId: string | null;
    recipient: string;
    message: string;
    data: unknown;
    createdAt: number;
  },
  when: SQL = sql`true`,
) {
  return control
    .insert(mailOutbox)
    .select(
      sql`select ${row.id}, ${row.occasion}, ${row.organisationId}, ${row.recipient}, ${row.message},
        ${JSON.stringify(row.data)}, 'queued', 0, ${row.createdAt}, null where ${when}`,
    )
    .onConflictDoNothing({ target: mailOutbox.occasion });
}

/** Claims an e-mail for sending. Null when it is sent, failed, unknown, paused or claimed by another sender. */
export async function takeMail(
  control: ControlDatabase,
  { id, now, leaseMs }: { id: string; now: number; leaseMs: number },
): Promise<QueuedMail | null> {
  const [row] = await control
    .update(mailOutbox)
    .set({ sentAt: now + leaseMs, attempts: sql`${mailOutbox.attempts} + 1` })
    .where(and(eq(mailOutbox.id, id), eq(mailOutbox.status, "queued"), isFree(now)))
    .returning({
      id: mailOutbox.id,
      recipient: mailOutbox.recipient,
      message: mailOutbox.message,
      data: mailOutbox.data,
      attempts: mailOutbox.attempts,
    });
  return row ?? null;
}

/** Ends an attempt: sent, failed for good, or queued again. The data of a settled e-mail is deleted. */
export async function settleMail(
  control: ControlDatabase,
  { id, status, sentAt }: { id: string; status: "queued" | "sent" | "failed"; sentAt: number | null },
): Promise<void> {
  await control
    .update(mailOutbox)
    .set({ status, sentAt, ...(status === "queued" ? {} : { data: {} }) })
    .where(and(eq(mailOutbox.id, id), eq(mailOutbox.status, "queued")));
}

/** Lists ids of queued e-mails that were written before a time and may be claimed now. */
export async function listWaitingMail(
  control: ControlDatabase,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<string[]> {
  const rows = await control
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(eq(mailOutbox.status, "queued"), lt(mailOutbox.createdAt, before), isFree(now)))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Deletes up to `limit` settled e-mails written before a time. Returns how many were deleted. */
export async function deleteSettledMail(
  control: ControlDatabase,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = control
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    // Lists the statuses, because the index starts with the status.
    .where(and(inArray(mailOutbox.status, ["sent", "failed"]), lt(mailOutbox.createdAt, before)))
    .limit(limit);
  const gone = await control
    .delete(mailOutbox)
    .where(and(inArray(mailOutbox.id, old), ne(mailOutbox.status, "queued")))
    .returning({ id: mailOutbox.id });
  return gone.length;
}

function isFree(now: number) {
  return or(isNull(mailOutbox.sentAt), lte(mailOutbox.sentAt, now));
}
