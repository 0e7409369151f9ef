import { eq } from "drizzle-orm";
import { billingCorrection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";

export type CorrectionRow = typeof billingCorrection.$inferSelect;

/** The organisation's corrections, as they were read last. */
export async function listCorrectionRows(
  control: ControlDatabase,
  organisationId: string,
): Promise<CorrectionRow[]> {
  return control.select().from(billingCorrection).where(eq(billingCorrection.organisationId, organisationId));
}

/** The statement that stores corrections while `guard` holds. `?1` and `?2` are the guard's. */
export function correctionStatement(
  control: ControlDatabase,
  guard: string,
  {
    organisationId,
    version,
    rows,
  }: { organisationId: string; version: number; rows: readonly CorrectionRow[] },
) {
  return statement(
    control,
    `INSERT INTO billing_correction
       (id, organisation_id, kind, state, cents, refunded_cents, platform, created_at, changed_at)
     SELECT value->>'id', ?1, value->>'kind', value->>'state', value->>'cents', value->>'refundedCents',
       value->>'platform', value->>'createdAt', value->>'changedAt'
     FROM json_each(?3) WHERE ${guard}
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, cents = excluded.cents,
       refunded_cents = excluded.refunded_cents, platform = excluded.platform, changed_at = excluded.changed_at`,
    organisationId,
    version,
    JSON.stringify(rows),
  );
}
