const ROWS_PER_STATEMENT = 10_000;

/** The list that the bench pages through. */
export const BENCH_LIST = {
  organisationId: "org_bench_list",
  connectionId: "con_bench_list",
  kind: "item",
  placeId: "plc_bench_list",
};

/** The sort columns of the list's n-th item. */
export const rowOfItem = (n: number) => ({
  nameFolded: `name ${String(n).padStart(9, "0")}`,
  id: `itm_list_${String(n).padStart(9, "0")}`,
});

/** Fills the list up to `items` rows. Keeps existing rows, so that a longer list extends a shorter one. */
export async function fillItems(ledger: D1Database, items: number): Promise<void> {
  const { organisationId, connectionId, kind, placeId } = BENCH_LIST;
  const row = await ledger
    .prepare("SELECT total FROM item_count WHERE connection_id = ?")
    .bind(connectionId)
    .first<{ total: number }>();
  for (let from = row?.total ?? 0; from < items; from += ROWS_PER_STATEMENT) {
    await ledger
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
         INSERT INTO item (id, organisation_id, connection_id, place_id, platform, kind, external_id, name, full_name,
           name_folded, visibility, details, status, is_daily, size_bytes, created_at, last_backup_at)
         SELECT printf('itm_list_%09d', i), ?3, ?4, ?5, 'github', ?6, i, printf('name %09d', i), printf('name %09d', i),
           printf('name %09d', i), 'private', '{}', 'backuped', 1, 0, 1, ?7 FROM n`,
      )
      .bind(
        from,
        Math.min(from + ROWS_PER_STATEMENT, items),
        organisationId,
        connectionId,
        placeId,
        kind,
        Date.now(),
      )
      .run();
  }
}
