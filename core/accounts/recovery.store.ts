import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { passwordReset, user } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

type Reset = { userId: string; codeHash: string; expiresAt: number };

/** The statement that makes a code the person's only one. An older request that arrives late changes nothing. */
export function upsertReset(control: ControlDatabase, reset: Reset) {
  return control
    .insert(passwordReset)
    .values({ ...reset, attempts: 0 })
    .onConflictDoUpdate({
      target: passwordReset.userId,
      set: { codeHash: reset.codeHash, attempts: 0, expiresAt: reset.expiresAt },
      setWhere: lt(passwordReset.expiresAt, reset.expiresAt),
    });
}

/**
 * Uses one attempt of the code for this e-mail address. Returns null when there is no code or no attempt left. Known
 * and unknown addresses run the same statement.
 */
export async function spendResetTry(
  control: ControlDatabase,
  { email, most, now }: { email: string; most: number; now: number },
): Promise<Reset | null> {
  const [row] = await control
    .update(passwordReset)
    .set({ attempts: sql`${passwordReset.attempts} + 1` })
    .where(
      and(
        inArray(
          passwordReset.userId,
          control.select({ id: user.id }).from(user).where(eq(user.email, email)),
        ),
        lt(passwordReset.attempts, most),
        gt(passwordReset.expiresAt, now),
      ),
    )
    .returning({
      userId: passwordReset.userId,
      codeHash: passwordReset.codeHash,
      expiresAt: passwordReset.expiresAt,
    });
  return row ?? null;
}

/** Deletes a code. Returns false when another request deleted it first. */
export async function consumeReset(
  control: ControlDatabase,
  { userId, codeHash }: { userId: string; codeHash: string },
): Promise<boolean> {
  const rows = await control
    .delete(passwordReset)
    .where(and(eq(passwordReset.userId, userId), eq(passwordReset.codeHash, codeHash)))
    .returning({ userId: passwordReset.userId });
  return rows.length === 1;
}

/** Deletes the person's code, if any. */
export async function deleteReset(control: ControlDatabase, userId: string): Promise<void> {
  await control.delete(passwordReset).where(eq(passwordReset.userId, userId));
}
