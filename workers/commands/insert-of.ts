/** One row as an SQL statement. Triggers may have made the row already: then the dump's replaces it. */
export function insertOf(table: string, row: Readonly<Record<string, unknown>>): string {
  const columns = Object.keys(row).map((name) => `"${name}"`);
  return `INSERT OR REPLACE INTO "${table}" (${columns.join(", ")}) VALUES (${Object.values(row).map(literal).join(", ")});\n`;
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}
