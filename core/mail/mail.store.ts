import { and, eq, inArray, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { mailOutbox } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/*
 * While an e-mail is queued, `sentAt` is the time before which nobody may take it: the end of the lease of whoever
 * sends it now, or of the pause after a failure. Once it is sent, `sentAt` is what its name says.
 */

export type QueuedMail = { id: string; recipient: string; message: string; data: unknown; attempts: number };

/** The statement that writes one e-mail, where `when` holds; an occasion already written stays as it is. */
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

/** Takes an e-mail for sending; null when it is sent, failed, unknown, paused or just now in other hands. */
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

/** Ends an attempt: sent, failed for good, or back into the queue. What an e-mail said goes when it is over. */
export async function settleMail(
  control: ControlDatabase,
  { id, status, sentAt }: { id: string; status: "queued" | "sent" | "failed"; sentAt: number | null },
): Promise<void> {
  await control
    .update(mailOutbox)
    .set({ status, sentAt, ...(status === "queued" ? {} : { data: {} }) })
    .where(and(eq(mailOutbox.id, id), eq(mailOutbox.status, "queued")));
}

/** Ids of e-mails that were written before the moment, still wait and may be taken now. */
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

/** Forgets e-mails that are over and were written before the moment, so many at most; answers how many went. */
export async function deleteSettledMail(
  control: ControlDatabase,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = control
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    // Named one by one, because the index begins with the status.
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
