import { and, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { accountCode, connection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

/**
 * Makes a code the connection's only one. At most a limited number is accepted within a window; beyond it nothing
 * changes.
 *
 * @returns False when the window is full.
 */
export async function upsertCode(
  control: ControlDatabase,
  code: {
    connectionId: string;
    organisationId: string;
    sealedCode: string;
    expiresAt: number;
    now: number;
    windowMs: number;
    most: number;
  },
): Promise<boolean> {
  const { now, windowMs, most, ...values } = code;
  const isOver = lte(accountCode.windowAt, now - windowMs);
  const rows = await control
    .insert(accountCode)
    .values({ ...values, attempts: 0, sent: 1, windowAt: now })
    .onConflictDoUpdate({
      target: accountCode.connectionId,
      set: {
        sealedCode: code.sealedCode,
        expiresAt: code.expiresAt,
        attempts: 0,
        sent: sql`CASE WHEN ${isOver} THEN 1 ELSE ${accountCode.sent} + 1 END`,
        windowAt: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${accountCode.windowAt} END`,
      },
      setWhere: sql`${isOver} OR ${lt(accountCode.sent, most)}`,
    })
    .returning({ connectionId: accountCode.connectionId });
  return rows.length > 0;
}

/** Uses one try of a connection's code. Returns null when there is no code, it has expired, or no try is left. */
export async function spendCodeTry(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string; most: number; now: number },
): Promise<{ sealedCode: string } | null> {
  const [row] = await control
    .update(accountCode)
    .set({ attempts: sql`${accountCode.attempts} + 1` })
    .where(
      and(
        eq(accountCode.connectionId, key.connectionId),
        eq(accountCode.organisationId, key.organisationId),
        lt(accountCode.attempts, key.most),
        gt(accountCode.expiresAt, key.now),
      ),
    )
    .returning({ sealedCode: accountCode.sealedCode });
  return row ?? null;
}

/** The condition of an audit entry written with `confirmWithCode`: the code is still valid. */
export const isCodeStanding = (connectionId: string, sealedCode: string) =>
  sql`EXISTS (SELECT 1 FROM account_code WHERE connection_id = ${connectionId} AND sealed_code = ${sealedCode})`;

/**
 * Uses a code up, confirms its connection and writes the audit entry. Returns false when another request came first.
 */
export async function confirmWithCode(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string; sealedCode: string },
  entry: BatchItem<"sqlite">,
): Promise<boolean> {
  const isRight = and(
    eq(accountCode.connectionId, key.connectionId),
    eq(accountCode.sealedCode, key.sealedCode),
  );
  const [confirmed] = await control.batch([
    control
      .update(connection)
      .set({ isConfirmed: true, autoAddDueAt: 0 })
      .where(
        and(
          eq(connection.id, key.connectionId),
          eq(connection.organisationId, key.organisationId),
          eq(connection.isConfirmed, false),
          sql`EXISTS (SELECT 1 FROM ${accountCode} WHERE ${isRight})`,
        ),
      )
      .returning({ id: connection.id }),
    entry,
    control.delete(accountCode).where(isRight),
  ]);
  return confirmed.length > 0;
}
