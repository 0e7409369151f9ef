import type { SQL } from "drizzle-orm";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { type AuditRow, insertAuditEntries, insertAuditEntry } from "./audit.store.ts";

type AuditDeps = { control: ControlDatabase; clock: Clock; ids: IdSource };

/** What somebody did. */
export type AuditEntry = {
  organisationId: string;
  /** Null when the product itself did it. */
  userId: string | null;
  /** Kept because people leave. */
  userName: string;
  /** In the words of the trail, e.g. `login`, `invite-user`. */
  action: string;
  platform?: string | null;
  /** What it was done to, as the reader knows it: an e-mail address, an item's name. */
  subject?: string | null;
  /** Names the event where it may be told twice; within an organisation it is written once. */
  occasion?: string | null;
};

/**
 * The statement that writes an entry, for the batch of its deed on the control database: both stand or neither does.
 * With `when` the entry is only written if that condition holds at this point of the batch.
 */
export function auditStatement(deps: AuditDeps, entry: AuditEntry, when?: SQL) {
  return insertAuditEntry(deps.control, toRow(deps, entry), when);
}

/**
 * Writes what somebody did to things of a ledger, after its commit: the ledger is another database, so the two cannot
 * be one batch. An entry is lost only if the invocation dies, or the control database fails, right in between; the
 * deed then stands without it. The same occasion again changes nothing.
 */
export async function recordActions(deps: AuditDeps, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await insertAuditEntries(
    deps.control,
    entries.map((entry) => toRow(deps, entry)),
  );
}

function toRow(deps: AuditDeps, entry: AuditEntry): AuditRow {
  return {
    id: deps.ids.next("audit"),
    organisationId: entry.organisationId,
    userId: entry.userId,
    userName: entry.userName,
    action: entry.action,
    platform: entry.platform ?? null,
    subject: entry.subject ?? null,
    occasion: entry.occasion ?? null,
    createdAt: deps.clock.now(),
  };
}

/** Writes an entry by itself, where there is no batch to put it into. The same occasion again changes nothing. */
export async function recordAction(deps: AuditDeps, entry: AuditEntry): Promise<void> {
  await auditStatement(deps, entry);
}

/** The occasion of a session's beginning or end: told by the server and by the screen, written once. */
export function sessionOccasion(action: "login" | "logout", sessionId: string): string {
  return `${action}:${sessionId}`;
}
