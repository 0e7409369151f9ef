const ROWS_PER_STATEMENT = 50_000;
const DAY_MS = 86_400_000;

/**
 * Fills the schedule up to `items` rows. The last `due` are due; the others follow within the coming day. Keeps
 * existing rows, so that a larger schedule extends a smaller one.
 */
export async function fillSchedule(
  ledger: D1Database,
  { items, due, now }: { items: number; due: number; now: number },
): Promise<void> {
  const row = await ledger.prepare("SELECT count(*) AS count FROM schedule").first<{ count: number }>();
  const insert = (from: number, to: number, dueAt: string) =>
    ledger
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
         INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
         SELECT printf('itm_%026d', i), ${dueAt}, ${DAY_MS}, 'org_bench', 'con_bench', 'github' FROM n`,
      )
      .bind(from, to)
      .run();
  let from = row?.count ?? 0;
  const waiting = items - due;
  for (; from < waiting; from = Math.min(from + ROWS_PER_STATEMENT, waiting)) {
    const to = Math.min(from + ROWS_PER_STATEMENT, waiting);
    await insert(from, to, `${now + 3_600_000} + (i * 7919) % ${DAY_MS - 3_600_000}`);
  }
  await insert(from, items, `${now} - 1000 - (i % 1000)`);
}
