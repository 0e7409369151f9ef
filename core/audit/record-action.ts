import type { SQL } from "drizzle-orm";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import { type AuditRow, insertAuditEntries, insertAuditEntry } from "./audit.store.ts";

type AuditDeps = {
  control: ControlDatabase;
  clock: Clock;
  ids: IdSource;
  /** Set while a request runs: where it came from. */
  callerIp?: string | null;
};

/** The name of the product in the trail, for what it does by itself. */
export const OURSELVES = "Holdfast";

/** An action to record. */
export type AuditEntry = {
  organisationId: string;
  /** Null for an action of the product itself. */
  userId: string | null;
  /** The name is stored because people leave. */
  userName: string;
  /** The action's identifier, e.g. `login`, `invite-user`. */
  action: string;
  platform?: string | null;
  /** What the action was applied to, by a name that the reader knows: an e-mail address, an item's name. */
  subject?: string | null;
  /** Identifies an event that may be reported twice. Each occasion is written once per organisation. */
  occasion?: string | null;
  /** By default `success`. */
  outcome?: "success" | "failed";
  /** The version that the action was applied to. */
  version?: { id: string; takenAt: number } | null;
};

/**
 * The statement that inserts an entry. Run it in the same control-database batch as the change it records, so that both
 * are written or neither. With `when`, the entry is written only if that condition holds at this point of the batch.
 */
export function auditStatement(deps: AuditDeps, entry: AuditEntry, when?: SQL) {
  return insertAuditEntry(deps.control, toRow(deps, entry), when);
}

/**
 * Writes entries for changes in a ledger, after those are committed: the ledger is another database, so the two cannot
 * share a batch. An entry is lost only if the invocation dies or the control database fails in between; the change then
 * remains without an entry. Writing the same occasion again changes nothing.
 */
export async function recordActions(deps: AuditDeps, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await insertAuditEntries(
    deps.control,
    entries.map((entry) => toRow(deps, entry)),
  );
}

function toRow(deps: Pick<AuditDeps, "clock" | "ids" | "callerIp">, entry: AuditEntry): AuditRow {
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
    outcome: entry.outcome ?? "success",
    // What the product does by itself comes from nowhere, even within somebody's request.
    ip: entry.userId === null ? null : (deps.callerIp ?? null),
    versionId: entry.version?.id ?? null,
    versionTakenAt: entry.version?.takenAt ?? null,
  };
}

/** Writes a single entry outside a batch. Writing the same occasion again changes nothing. */
export async function recordAction(deps: AuditDeps, entry: AuditEntry): Promise<void> {
  await auditStatement(deps, entry);
}

/** The occasion of a session's start or end. Server and browser both report it; it is written once. */
export function sessionOccasion(action: "login" | "logout", sessionId: string): string {
  return `${action}:${sessionId}`;
}
