/**
 * The constraint that a batch violated, as SQLite names it: `table.column` of a NOT NULL column, or all columns of a
 * unique index. Null for any other error.
 */
export function failedConstraint(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    const match = /(?:NOT NULL|UNIQUE) constraint failed: ([a-z_., ]+)/.exec(each.message);
    if (match) return match[1]!.trim();
  }
  return null;
}
