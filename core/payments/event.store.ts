import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** Records an event and asks for a sync of its customer. Returns whether the event was new. */
export async function insertEvent(
  control: ControlDatabase,
  { id, type, customerId, now }: { id: string; type: string; customerId: string | null; now: number },
): Promise<boolean> {
  const [, inserted] = await commitTogether(control, [
    statement(
      control,
      `UPDATE billing_customer SET wanted = wanted + 1
       WHERE stripe_customer_id = ?1 AND NOT EXISTS (SELECT 1 FROM stripe_event WHERE id = ?2)`,
      customerId,
      id,
    ),
    statement(
      control,
      "INSERT INTO stripe_event (id, type, received_at) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING",
      id,
      type,
      now,
    ),
  ]);
  return inserted?.meta.changes === 1;
}

/** Forgets events received before this time. The provider repeats an event for three days. */
export async function pruneEvents(control: ControlDatabase, before: number): Promise<void> {
  await statement(
    control,
    `DELETE FROM stripe_event WHERE id IN (SELECT id FROM stripe_event WHERE received_at < ?1 LIMIT 1000)`,
    before,
  ).run();
}
