/** Tables that belong to a ledger itself. */
export const OF_LEDGER: readonly string[] = [
  "duty_start",
  "moving_organisation",
  "numbered_item",
  "sweep_position",
];

/** Tables whose rows have numbers that each ledger gives, by the view that has ids. */
const VIEWS: Readonly<Record<string, string>> = {
  manifest_row: "manifest",
  object_row: "object",
  span_row: "object_span",
};

/** A table as all ledgers of a region may compare it. */
export const comparableView = (table: string) => VIEWS[table] ?? table;

/** A row of such a view without what only its ledger knows. */
export function comparable<Row extends Record<string, unknown>>(row: Row): Record<string, unknown> {
  const { item: _, ...rest } = row;
  return rest;
}
