import type { Field } from "#connectors/contract/field.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type {
  RowDetail,
  SearchedRow,
  TableFacts,
  TableRow,
  TableView,
} from "#connectors/contract/table-view.ts";
import { cellFields } from "#connectors/toolkit/views/cell-fields.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordPaths } from "../record-paths.ts";
import { paragraphLines } from "./block-markdown.ts";
import { textsIn } from "./block-tree.ts";
import { blocksOf } from "./blocks-of.ts";
import { cellsOf, uniqueId } from "./cells.ts";
import { columnsOf, type SourceColumn } from "./columns.ts";
import { commentAt, commentsOf } from "./comments.ts";
import { crumbsAbove } from "./crumbs.ts";
import { type FoundHome, findHome, type Home, homeOfPath, roleIn } from "./homes.ts";
import { layoutsOf, type SourceLayouts } from "./layouts.ts";
import { filesBeside } from "./linked-blocks.ts";
import { listOf, memberOf, membersOf, textOf } from "./members.ts";
import type { ReadIo } from "./read-io.ts";
import { richLines } from "./rich-text.ts";
import { emojiOf, findSource, isArchived, type Source, titleOfPage, titleOfSource } from "./titles.ts";

/** A data source of a version as a table; null when the version has none of that id. Rows stand in one folder. */
export async function openTable(io: ReadIo, id: string): Promise<TableView | null> {
  const source = await findSource(io.snapshot, id);
  if (source === null) return null;
  const { snapshot } = io;
  const columns = columnsOf(source.record);
  const folder = recordPaths.rowsOf(id);
  let layouts: Promise<SourceLayouts> | null = null;
  const readLayouts = () => {
    layouts ??= layoutsOf(snapshot, source, columns);
    return layouts;
  };
  const rowOfThis = async (rowId: string): Promise<FoundHome | null> => {
    const found = rowId.startsWith(`${id}.`) ? await findHome(snapshot, rowId) : null;
    return found?.home.kind === "row" ? found : null;
  };
  return {
    facts: async () => await factsOf(io, { source, columns, layouts: (await readLayouts()).layouts }),
    async *rows(after) {
      const mark = after === null ? null : await rowOfThis(after);
      const { filters } = await readLayouts();
      for await (const { path } of snapshot.list(folder, mark?.entry.path ?? "")) {
        const found = homeOfPath(path);
        if (found?.name === "page.json") yield await searchedRow(io, found.home, { columns, filters });
      }
    },
    async row(rowId) {
      const found = await rowOfThis(rowId);
      return found === null ? null : await rowDetail(io, found, columns);
    },
    async comments(rowId, range) {
      const found = await rowOfThis(rowId);
      return found === null ? { notes: [], next: null } : await commentsOf(io, found.home, range);
    },
    async comment(path) {
      const home = rowIn(id, path)?.home;
      return home === undefined ? null : await commentAt(io, home, path);
    },
    roleOf({ path }) {
      const found = rowIn(id, path);
      return found === null ? null : roleIn(found.home, found.name);
    },
  };
}

function rowIn(sourceId: string, path: string): ReturnType<typeof homeOfPath> {
  const found = homeOfPath(path);
  return found?.home.kind === "row" && found.home.sourceId === sourceId ? found : null;
}

async function factsOf(
  io: ReadIo,
  {
    source,
    columns,
    layouts,
  }: { source: Source; columns: readonly SourceColumn[]; layouts: TableFacts["layouts"] },
): Promise<TableFacts> {
  const { id, record, database } = source;
  const own = listOf(record, "description");
  const description = own.length > 0 ? own : listOf(database ?? {}, "description");
  return {
    path: pathOfSource(source),
    title: titleOfSource(source),
    icon: emojiOf(record) ?? (database === null ? null : emojiOf(database)),
    text: paragraphLines(richLines(description)).join("\n"),
    url: textOf(database ?? record, "url") || null,
    ...titleColumnOf(record),
    columns: columns.map(({ id, name, type }) => ({ id, name, type })),
    layouts,
    rowCount: await countRows(io.snapshot, id),
  };
}

/** Rows that are counted, and entries that are listed for it: rows have several. A longer table has no count. */
const MOST_COUNTED = 1_000;
const MOST_LISTED = 5_000;

async function countRows(snapshot: SnapshotView, sourceId: string): Promise<number | null> {
  let [rows, entries] = [0, 0];
  for await (const { path } of snapshot.list(recordPaths.rowsOf(sourceId))) {
    entries += 1;
    if (homeOfPath(path)?.name === "page.json") rows += 1;
    if (rows > MOST_COUNTED || entries > MOST_LISTED) return null;
  }
  return rows;
}

/** The property of the titles, which every data source has once and may rename. */
function titleColumnOf(source: Json): Pick<TableFacts, "titleColumn"> {
  const title = Object.values(memberOf(source, "properties")).find(
    (each) => textOf(each, "type") === "title",
  );
  const name = title === undefined ? "" : textOf(title, "name");
  return name === "" ? {} : { titleColumn: name };
}

/** A database is restored as a whole, so a table stands for the entry of its database. */
export function pathOfSource({ id, database, databaseId }: Source): string {
  return database === null || databaseId === null ? recordPaths.source(id) : recordPaths.database(databaseId);
}

/** A row with the text of its first blocks, for the search, and what orders it: the time when it was made. */
async function searchedRow(
  io: ReadIo,
  home: Home,
  { columns, filters }: { columns: readonly SourceColumn[]; filters: SourceLayouts["filters"] },
): Promise<SearchedRow> {
  const page = await io.snapshot.readRecord(recordPaths.page(home.path));
  const first = await io.snapshot.find(recordPaths.blocks(home.path, 0));
  const words = first === null ? "" : textsIn(await io.snapshot.readRecord(first.path));
  const hiddenIn = [...filters].flatMap(([layoutId, fits]) => (fits(page) ? [] : [layoutId]));
  return {
    ...(await frontOf(io, { home, page, columns })),
    words,
    rank: textOf(page, "created_time"),
    ...(hiddenIn.length > 0 && { hiddenIn }),
  };
}

async function rowDetail(
  io: ReadIo,
  { home, entry }: FoundHome,
  columns: readonly SourceColumn[],
): Promise<RowDetail> {
  const page = await io.snapshot.readRecord(entry.path);
  const crumbs = await crumbsAbove(io.snapshot, entry);
  return {
    ...(await frontOf(io, { home, page, columns })),
    ...(await originOf(io, page)),
    blocks: await blocksOf({ ...io, crumbs }, home.path),
    files: await filesBeside(io.snapshot, page),
  };
}

async function frontOf(
  io: ReadIo,
  { home, page, columns }: { home: Home; page: Json; columns: readonly SourceColumn[] },
): Promise<TableRow> {
  return {
    id: home.id,
    path: recordPaths.page(home.path),
    key: keyOf(page),
    title: titleOfPage(page),
    isArchived: isArchived(page),
    cells: await cellsOf(io, page, columns),
  };
}

function keyOf(page: Json): string | null {
  for (const value of Object.values(memberOf(page, "properties")))
    if (textOf(value, "type") === "unique_id") return uniqueId(value);
  return null;
}

/** Who made a page and when, and its address. */
export async function originOf({ nameOf }: Pick<ReadIo, "nameOf">, page: Json) {
  return {
    url: textOf(page, "url") || null,
    author: await nameOf(membersOf(page).created_by),
    at: timeOf(textOf(page, "created_time")),
    editedAt: timeOf(textOf(page, "last_edited_time")),
  };
}

/** The properties of a row or template in words, for one that is opened as a page. */
export async function fieldsOf(io: ReadIo, sourceId: string, page: Json): Promise<Field[]> {
  const source = await findSource(io.snapshot, sourceId);
  if (source === null) return [];
  const columns = columnsOf(source.record);
  return cellFields(columns, await cellsOf(io, page, columns));
}
