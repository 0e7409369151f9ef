import type { MatchedThing } from "#connectors/contract/restore-question.ts";

/** A status, as both sides of a matching need it. `category` is `new`, `indeterminate` or `done`. */
export type ColumnStatus = { id: string; name: string; category: string | null };

/** A column of a board with its statuses; without a board, one of each status. */
export type Column = { name: string; statuses: readonly ColumnStatus[] };

/** Matches columns of the version (by the id of their first status) with columns of the target (by name). */
export type ColumnMatch = Readonly<Record<string, string | null>>;

/** The columns of a board, or one for each status if there is no board. Columns without a status hold no issues. */
export function columnsOf(
  board: { columns: readonly { name: string; statuses: readonly { id: string }[] }[] } | null,
  statuses: readonly ColumnStatus[],
): Column[] {
  const byId = new Map(statuses.map((status) => [status.id, status]));
  const columns =
    board === null
      ? statuses.map((status) => ({ name: status.name, statuses: [status] }))
      : board.columns.map(({ name, statuses: ids }) => ({
          name,
          statuses: ids.map(({ id }) => byId.get(id) ?? { id, name, category: null }),
        }));
  return columns.filter((column) => column.statuses.length > 0);
}

/** The id of a column of the version in answers and on the wire: that of its first status. */
export function columnId({ statuses }: Column): string {
  return statuses[0]?.id ?? "";
}

/** Both sides of the matching, with a proposal by name, else by category. A proposal by category is a guess. */
export function proposeColumns(
  left: readonly Column[],
  right: readonly Column[],
): {
  left: MatchedThing[];
  right: MatchedThing[];
  default: Record<string, string | null>;
  suggested: string[];
} {
  const proposal: Record<string, string | null> = {};
  const suggested: string[] = [];
  for (const column of left) {
    const named = right.find(({ name }) => isAlike(name, column.name));
    const guess = named ?? sameCategory(column, right);
    proposal[columnId(column)] = guess?.name ?? null;
    if (named === undefined && guess !== null) suggested.push(columnId(column));
  }
  const names = [...new Set(right.map(({ name }) => name))];
  return {
    left: left.map((column) => ({ id: columnId(column), label: column.name })),
    right: names.map((name) => ({ id: name, label: name })),
    default: proposal,
    suggested,
  };
}

function sameCategory(column: Column, right: readonly Column[]): Column | null {
  const category = column.statuses[0]?.category ?? null;
  if (category === null) return null;
  return right.find(({ statuses }) => statuses.some((status) => status.category === category)) ?? null;
}

/**
 * The status that an issue gets in the target: within the matched column that of the same name, else of the same category,
 * else the first. Outside a matching the status of the same name, else id, else category. Null = it stays in its first status.
 */
export function targetStatus(
  status: ColumnStatus,
  { left, right, match }: { left: readonly Column[]; right: readonly Column[]; match: ColumnMatch | null },
): ColumnStatus | null {
  const column = left.find(({ statuses }) => statuses.some(({ id }) => id === status.id));
  if (match !== null && column !== undefined) {
    const name = Object.hasOwn(match, columnId(column)) ? match[columnId(column)] : undefined;
    if (name === null) return null;
    const into = right.find((each) => each.name === name);
    if (into !== undefined) return bestOf(status, into.statuses) ?? into.statuses[0] ?? null;
  }
  return bestOf(
    status,
    right.flatMap(({ statuses }) => statuses),
  );
}

function bestOf(status: ColumnStatus, among: readonly ColumnStatus[]): ColumnStatus | null {
  return (
    among.find(({ name }) => isAlike(name, status.name)) ??
    among.find(({ id }) => id === status.id) ??
    among.find(({ category }) => category !== null && category === status.category) ??
    null
  );
}

/** Whether names mean the same thing to people. */
export function isAlike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
