import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { CSV_START, csvRow } from "./csv.ts";

/** Plain bytes of a table's part, and of all its parts: the layout of the ZIP holds them, deflated. */
export type TableLimits = { perFile: number; bytes: number };
export const TABLE_LIMITS: TableLimits = { perFile: 4 * 1024 * 1024, bytes: 12 * 1024 * 1024 };

/** A table of a ZIP that is written in parts, so only one part is in memory. */
export type ExportTable = {
  /**
   * Adds a line. Yields a part when it is full.
   * @param rank The lines of a part are sorted by it; lines of equal rank keep their order.
   */
  add(row: readonly string[], rank?: number): Generator<ExportFile, void>;
  /** Yields the last part, which says how many lines did not fit. */
  end(): Generator<ExportFile, void>;
};

/**
 * Opens a table as `name.csv`, `name-2.csv` and so on.
 * @param columns The columns that are known by now. Each part has those that are known when it is written.
 */
export function openTable(
  name: string,
  columns: () => readonly string[],
  limits: TableLimits = TABLE_LIMITS,
): ExportTable {
  let rows: { row: readonly string[]; rank: number }[] = [];
  let [size, total, part, leftOut] = [0, 0, 0, 0];
  const write = (): ExportFile => {
    const head = columns();
    const sorted = rows.sort((one, other) => one.rank - other.rank).map(({ row }) => row);
    const filled = [head, ...sorted].map((row) => csvRow([...row, ...head.slice(row.length).map(() => "")]));
    part += 1;
    [rows, size] = [[], 0];
    const path = part === 1 ? `${name}.csv` : `${name}-${part}.csv`;
    return { path, source: "bytes", bytes: utf8(`${CSV_START}${filled.join("\r\n")}\r\n`) };
  };
  return {
    *add(row, rank = 0) {
      const bytes = utf8(csvRow(row)).length;
      if (leftOut > 0 || total + bytes > limits.bytes) {
        leftOut += 1;
        return;
      }
      if (rows.length > 0 && size + bytes > limits.perFile) yield write();
      rows.push({ row, rank });
      size += bytes;
      total += bytes;
    },
    *end() {
      const told = [`${leftOut} more lines did not fit. Everything is in the folder metadata.`];
      if (leftOut > 0) rows.push({ row: told, rank: Number.POSITIVE_INFINITY });
      if (rows.length > 0 || part === 0) yield write();
    },
  };
}
