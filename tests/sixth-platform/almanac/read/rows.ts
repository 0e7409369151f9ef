import type { FileLink, Hue } from "#connectors/contract/field.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { RowDetail, SearchedRow, TableCell } from "#connectors/contract/table-view.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import { type Cell, type Column, type Register, type Row, registerSchema, rowSchema } from "../payloads.ts";
import { readPath, recordPaths } from "../record-paths.ts";
import { blocksOf, fileLinks } from "./blocks-of.ts";

/** A row's id names its register, because Almanac's own ids of rows are looked up there. */
export function rowId(registerId: string, id: string): string {
  return `${registerId}-${id}`;
}

/** The path of a row by its id in views; null for an id of another form. */
export function rowPath(id: string): string | null {
  const [, registerId, own] = /^([a-z0-9]+)-([a-z0-9]+)$/.exec(id) ?? [];
  return registerId === undefined || own === undefined ? null : recordPaths.row(registerId, own);
}

/** A register of the version; null when there is none. */
export async function readRegister(snapshot: SnapshotView, id: string): Promise<Register | null> {
  const path = recordPaths.register(id);
  if ((await snapshot.find(path)) === null) return null;
  return registerSchema.parse(await snapshot.readRecord(path));
}

/** A row by its id in views, and its path; null when the version has none. */
export async function findRow(
  snapshot: SnapshotView,
  id: string,
): Promise<{ row: Row; path: string } | null> {
  const path = rowPath(id);
  if (path === null || (await snapshot.find(path)) === null) return null;
  return { row: rowSchema.parse(await snapshot.readRecord(path)), path };
}

/** A row of a list, with the words that a search looks at. */
export async function searchedRow(
  snapshot: SnapshotView,
  { path, columns }: { path: string; columns: readonly Column[] },
): Promise<SearchedRow> {
  const row = rowSchema.parse(await snapshot.readRecord(path));
  const words = row.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return { ...(await frontOf(snapshot, { row, path, columns })), words };
}

/** An opened row. */
export async function rowDetail(
  snapshot: SnapshotView,
  { row, path, columns }: { row: Row; path: string; columns: readonly Column[] },
): Promise<RowDetail> {
  return {
    ...(await frontOf(snapshot, { row, path, columns })),
    ...{ url: null, author: row.author },
    at: timeOf(row.createdAt),
    editedAt: timeOf(row.editedAt),
    ...(await blocksOf(snapshot, { ...row, path })),
  };
}

async function frontOf(
  snapshot: SnapshotView,
  { row, path, columns }: { row: Row; path: string; columns: readonly Column[] },
) {
  const { id, registerId, key, title, isArchived } = row;
  const cells: Record<string, TableCell> = {};
  const links = await fileLinks(snapshot, { ...row, path });
  for (const { id: columnId, unit } of columns) {
    const cell = Object.hasOwn(row.cells, columnId) ? row.cells[columnId] : undefined;
    if (cell !== undefined) cells[columnId] = await cellOf(snapshot, cell, { registerId, unit, links });
  }
  return { id: rowId(registerId, id), path, key, title, isArchived, cells };
}

async function cellOf(
  snapshot: SnapshotView,
  cell: Cell,
  { unit, links }: { registerId: string; unit: string | null; links: ReadonlyMap<string, FileLink> },
): Promise<TableCell> {
  switch (cell.type) {
    case "text":
    case "check":
      return cell;
    case "number": {
      const { value } = cell;
      return { type: "number", value, text: unit === null ? String(value) : `${value} ${unit}` };
    }
    case "date": {
      const until = cell.until === null ? null : timeOf(cell.until);
      return { type: "date", from: timeOf(cell.from) ?? 0, until, hasTime: cell.from.includes("T") };
    }
    case "tags": {
      const tags = cell.tags.map(({ name, colour }) => ({
        name,
        hue: hueOf(colour),
        shade: "normal" as const,
      }));
      return { type: "tags", tags };
    }
    case "files":
      return { type: "files", files: cell.fileIds.flatMap((id) => links.get(id) ?? []) };
    case "rows":
      return { type: "rows", rows: await referredRows(snapshot, cell.rowIds) };
    default:
      return cell satisfies never;
  }
}

/** Rows that a cell refers to. Almanac names each by its register and its own id: `register.row`. */
async function referredRows(snapshot: SnapshotView, references: readonly string[]) {
  const rows: { id: string; title: string }[] = [];
  for (const reference of references) {
    const id = reference.replace(".", "-");
    const path = rowPath(id);
    const entry = path === null ? null : await snapshot.find(path);
    if (entry !== null && readPath(entry.path)?.type === "row") rows.push({ id, title: entry.title ?? "" });
  }
  return rows;
}

const HUES: readonly Hue[] = [
  "green",
  "yellow",
  "orange",
  "red",
  "purple",
  "blue",
  "sky",
  "lime",
  "pink",
  "gray",
];

function hueOf(colour: string | null): Hue | null {
  return HUES.find((hue) => hue === colour) ?? null;
}
