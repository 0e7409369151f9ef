import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { type SqlValue, statement } from "#core/database/statements.ts";
import { MOST_PAGE_BYTES, MOST_PAGE_ROWS, STRETCH_ROWS } from "./limits.ts";
import type { MovedTable } from "./moved-tables.store.ts";

/** The values of a primary key, in the order of its columns. */
export type Key = readonly SqlValue[];

/** The rows of a table behind one key, up to another. `to`: null = to the end of the table. */
export type Range = { after: Key; to: Key | null };

/** Before every row: no key begins with an empty text. */
export const startOf = ({ key }: MovedTable): Key => key.map(() => "");

/**
 * The end of the next stretch of a table: so many rows, whoever they belong to, that one statement can pass over them.
 * Null = up to the range's end.
 */
export async function findStretchEnd(
  ledger: LedgerDatabase,
  table: MovedTable,
  range: Range,
): Promise<Key | null> {
  const { where, values } = within(table, range, 1);
  const key = table.key.join(", ");
  const row = await statement(
    ledger,
    `SELECT json_array(${key}) AS at FROM ${table.name} WHERE ${where} ORDER BY ${key} LIMIT 1 OFFSET ${STRETCH_ROWS - 1}`,
    ...values,
  ).first<{ at: string }>();
  return row ? parseKey(row.at) : null;
}

/**
 * The organisation's first rows in a range, each as a JSON list of its columns, which SQLite writes and reads without a
 * loss. They are cut by count and by bytes, but one is always there.
 *
 * @returns `end`: the key of the last of them; null = these are all.
 */
export async function readPage(
  ledger: LedgerDatabase,
  table: MovedTable,
  { organisationId, range }: { organisationId: string; range: Range },
): Promise<{ rows: string[]; end: Key | null }> {
  const { where, values } = within(table, range, 2);
  const key = table.key.join(", ");
  const { results } = await statement(
    ledger,
    `SELECT content, json_array(${key}) AS at, found FROM (
       SELECT *, octet_length(content) AS bytes, count(*) OVER () AS found,
         sum(octet_length(content)) OVER (ORDER BY ${key} ROWS UNBOUNDED PRECEDING) AS total FROM (
           SELECT ${key}, json_array(${table.columns.join(", ")}) AS content FROM ${table.name}
           WHERE ${where} AND ${table.isOwned}
           ORDER BY ${key} LIMIT ${MOST_PAGE_ROWS}))
     WHERE total - bytes < ${MOST_PAGE_BYTES} ORDER BY ${key}`,
    organisationId,
    ...values,
  ).all<{ content: string; at: string; found: number }>();
  const last = results.at(-1);
  const isAll = !last || (last.found < MOST_PAGE_ROWS && results.length === last.found);
  return { rows: results.map(({ content }) => content), end: isAll ? null : parseKey(last.at) };
}

/**
 * Statements that make a range of the organisation's rows equal to a page: what is not in the page goes, then what differs
 * is written. Each reports how many rows it changed. `REPLACE` also removes a row that has gone and stands in the way,
 * e.g. of an item that was removed and added again.
 */
export function equalise(
  ledger: LedgerDatabase,
  table: MovedTable,
  { organisationId, range, rows }: { organisationId: string; range: Range; rows: readonly string[] },
): D1PreparedStatement[] {
  const { name, columns, key } = table;
  const page = `[${rows.join(",")}]`;
  const { where, values } = within(table, range, 3);
  const ofPage = (column: string) => `page.value->>${columns.indexOf(column)}`;
  const written = table.rows.values(ofPage);
  return [
    statement(
      ledger,
      `DELETE FROM ${table.rows.name} WHERE ${isAmong(
        table,
        `${where} AND ${table.mayGo}
         AND (${key.join(", ")}) NOT IN (SELECT ${key.map(ofPage).join(", ")} FROM json_each(?2) page)`,
      )}`,
      organisationId,
      page,
      ...values,
    ),
    ...(table.rows.name === name ? [] : [numberItems(ledger, organisationId, page, ofPage("item_id"))]),
    statement(
      ledger,
      `INSERT OR REPLACE INTO ${table.rows.name} (${Object.keys(written).join(", ")})
       SELECT ${Object.values(written).join(", ")} FROM json_each(?1) page
       WHERE NOT EXISTS (SELECT 1 FROM ${name} present
         WHERE ${columns.map((column) => `present.${column} ${key.includes(column) ? "=" : "IS"} ${ofPage(column)}`).join(" AND ")})`,
      page,
    ),
  ];
}

/** A statement that numbers the items of a page. Items that are removed have no row that did it. */
function numberItems(
  ledger: LedgerDatabase,
  organisationId: string,
  page: string,
  itemId: string,
): D1PreparedStatement {
  return statement(
    ledger,
    `INSERT INTO numbered_item (item_id, organisation_id) SELECT DISTINCT ${itemId}, ?1 FROM json_each(?2) page
     WHERE true ON CONFLICT DO NOTHING`,
    organisationId,
    page,
  );
}

/** A statement that removes the organisation's first rows in a range, and reports how many. */
export function removeFirst(
  ledger: LedgerDatabase,
  table: MovedTable,
  { organisationId, range }: { organisationId: string; range: Range },
): D1PreparedStatement {
  const { where, values } = within(table, range, 2);
  return statement(
    ledger,
    `DELETE FROM ${table.rows.name} WHERE ${isAmong(table, `${where} AND ${table.mayGo} LIMIT ${MOST_PAGE_ROWS}`)} RETURNING 1`,
    organisationId,
    ...values,
  );
}

/** SQL: a row that is written is among those that are read under a condition. */
function isAmong({ name, rows }: MovedTable, condition: string): string {
  const key = rows.key.join(", ");
  return `(${key}) IN (SELECT ${key} FROM ${name} WHERE ${condition})`;
}

/** SQL of a range, and its values as parameters from a number on. */
function within({ key }: MovedTable, { after, to }: Range, first: number) {
  const columns = `(${key.join(", ")})`;
  const marks = (from: number) => `(${key.map((_, at) => `?${from + at}`).join(", ")})`;
  const lower = `${columns} > ${marks(first)}`;
  return to === null
    ? { where: lower, values: after }
    : {
        where: `${lower} AND ${columns} <= ${marks(first + key.length)}`,
        values: [...after, ...to],
      };
}

const parseKey = (text: string) => JSON.parse(text) as Key;
