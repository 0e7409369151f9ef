import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { TableCell } from "#connectors/contract/table-view.ts";
import { CSV_START, csvRow } from "#connectors/toolkit/export/csv.ts";
import { safeFileName } from "#connectors/toolkit/export/safe-file-name.ts";
import { STATE_PATH } from "#connectors/toolkit/records/backup-state.ts";
import { cellText } from "#connectors/toolkit/views/cell-fields.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { recordPaths } from "../record-paths.ts";
import { cellsOf } from "./cells.ts";
import { columnsOf, type SourceColumn } from "./columns.ts";
import { readme } from "./export-readme.ts";
import { findHome, type Home, homeOfPath, sourceIdOfPath } from "./homes.ts";
import { textOf } from "./members.ts";
import type { Places } from "./page-markdown.ts";
import { openPage } from "./pages-view.ts";
import { openReadIo, type ReadIo } from "./read-io.ts";
import { findSource, titleOfPage } from "./titles.ts";
import { wholeMarkdown } from "./whole-markdown.ts";
import { addressFrom, openZipPlaces } from "./zip-places.ts";

/** Plain bytes of all pages and tables together, and of one part of a table: the layout of a ZIP holds them, deflated. */
export type ExportLimits = { bytes: number; perFile: number };
const LIMITS: ExportLimits = { bytes: 24 * 1024 * 1024, perFile: 4 * 1024 * 1024 };
/** Files that did not fit and are named. */
const MOST_NAMED = 1_000;

/**
 * The files of the ZIP: pages as Markdown in folders of their titles, tables as CSV, files beside their pages, and
 * everything as JSON. Every name and byte follows from the version. Reads one page at a time, in path order.
 */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string },
  limits: ExportLimits = LIMITS,
): AsyncGenerator<ExportFile, void> {
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme(item.name, snapshot.counts())) };
  const zip: Zip = {
    io: openReadIo(snapshot),
    places: openZipPlaces(snapshot),
    left: limits.bytes,
    leftOut: [],
  };
  let table: Table | null = null;
  /** Whether the folder of the present page has blocks or comments. Its own record comes last. */
  let hasContent = false;
  for await (const entry of snapshot.list()) {
    const found = homeOfPath(entry.path);
    if (found === null) {
      // The rows of a table come before its own record.
      const sourceId = sourceIdOfPath(entry.path);
      if (sourceId !== null) {
        table ??= await openTable(zip, sourceId, limits.perFile);
        yield* table.end();
        table = null;
      } else if (entry.type === "stream")
        yield { path: loosePath(entry), source: "entry", entry: entry.path };
      continue;
    }
    const { home, name } = found;
    if (entry.type === "stream") {
      yield { path: await filePath(zip, home, entry), source: "entry", entry: entry.path };
    } else if (name !== "page.json") hasContent = true;
    else {
      if (home.kind === "row" && home.sourceId !== null) {
        table ??= await openTable(zip, home.sourceId, limits.perFile);
        yield* table.add(entry);
      }
      // A row without content is whole in its table.
      if (hasContent || home.kind !== "row") yield* pageFile(zip, home, entry);
      hasContent = false;
    }
  }
  if (zip.leftOut.length > 0) yield leftOutFile(zip.leftOut);
  for await (const { path, type } of snapshot.list()) {
    if (type === "record" && path !== STATE_PATH)
      yield { path: `metadata/${path}`, source: "entry", entry: path };
  }
}

type Zip = {
  io: ReadIo;
  places: ReturnType<typeof openZipPlaces>;
  /** Bytes that pages and tables may still take. */
  left: number;
  /** What no longer fitted. */
  leftOut: string[];
};

/** A file of our own, if it still fits. */
function* ownFile(zip: Zip, path: string, text: string): Generator<ExportFile, void> {
  const bytes = utf8(text);
  if (bytes.length > zip.left) {
    zip.leftOut.push(path);
    return;
  }
  zip.left -= bytes.length;
  yield { path, source: "bytes", bytes };
}

async function* pageFile(zip: Zip, home: Home, entry: EntryInfo): AsyncGenerator<ExportFile, void> {
  const { io } = zip;
  const path = `${await zip.places.placeOf(entry)}.md`;
  const page = zip.left > 0 ? await openPage(io, home.id) : null;
  if (page === null) {
    zip.leftOut.push(path);
    return;
  }
  yield* ownFile(zip, path, await wholeMarkdown(io, { home, page }, await placesFrom(zip, path, home)));
}

/** Where other things are, from a page. Files of the page lie in its folder. */
async function placesFrom({ io: { snapshot }, places }: Zip, path: string, home: Home): Promise<Places> {
  const own = path.slice(0, -".md".length);
  const titles = new Map<string, string>();
  for await (const { path: file, title = "" } of snapshot.list(`${home.path}files/`)) titles.set(file, title);
  const to = (target: string) => addressFrom(path, target);
  return {
    async page(id) {
      const found = await findHome(snapshot, id);
      return found === null ? null : to(`${await places.placeOf(found.entry)}.md`);
    },
    async table(id) {
      const entry = await snapshot.find(recordPaths.source(id));
      return entry === null ? null : to(`${await places.placeOf(entry)}.csv`);
    },
    file(entry) {
      const title = titles.get(entry);
      return title === undefined ? null : to(`${own}/${fileName(entry, title)}`);
    },
    missingFile: "not in this version",
  };
}

async function filePath({ io: { snapshot }, places }: Zip, home: Home, entry: EntryInfo): Promise<string> {
  const page = await snapshot.find(recordPaths.page(home.path));
  const folder = page === null ? `files/${home.pageId}` : await places.placeOf(page);
  return `${folder}/${fileName(entry.path, entry.title ?? "")}`;
}

/** The end of the entry's name keeps two files of one name apart. */
function fileName(path: string, title: string): string {
  const own = path.slice(path.lastIndexOf("/") + 1);
  return `${safeFileName(own).slice(-12)} ${safeFileName(title || "file")}`;
}

/** Icons of tables, custom emojis: files that belong to no page. */
function loosePath({ path, title = "" }: EntryInfo): string {
  return `files/${path.split("/").map(safeFileName).join("/")} ${safeFileName(title || "file")}`;
}

type Table = { add(row: EntryInfo): AsyncIterable<ExportFile>; end(): Iterable<ExportFile> };

/** The CSV of a data source: a line for each row, in parts of a bounded size; the first part has no number. */
async function openTable(zip: Zip, sourceId: string, perFile: number): Promise<Table> {
  const { snapshot } = zip.io;
  const [source, entry] = [
    await findSource(snapshot, sourceId),
    await snapshot.find(recordPaths.source(sourceId)),
  ];
  const place = entry === null ? `pages/${sourceId}` : await zip.places.placeOf(entry);
  const columns = source === null ? [] : columnsOf(source.record);
  const head = csvRow(["Name", ...columns.map(({ name }) => name), "Address at Notion"]);
  let lines: string[] = [];
  let [size, part] = [0, 0];
  const write = () => {
    part += 1;
    const text = `${CSV_START}${[head, ...lines].join("\r\n")}\r\n`;
    [lines, size] = [[], 0];
    return ownFile(zip, `${place}${part === 1 ? "" : ` ${part}`}.csv`, text);
  };
  return {
    async *add(row) {
      if (zip.left <= 0) return;
      const line = await lineOf(zip, row, columns);
      if (lines.length > 0 && size + line.length > perFile) yield* write();
      lines.push(line);
      size += line.length;
    },
    *end() {
      if (lines.length > 0 || part === 0) yield* write();
    },
  };
}

async function lineOf(zip: Zip, row: EntryInfo, columns: readonly SourceColumn[]): Promise<string> {
  const page = await zip.io.snapshot.readRecord(row.path);
  const cells = await cellsOf(zip.io, page, columns);
  const values: string[] = [];
  for (const { id } of columns) values.push(await zipText(zip, row, cells[id]));
  return csvRow([titleOfPage(page), ...values, textOf(page, "url")]);
}

/** A cell as text; a file by its path in the ZIP. */
async function zipText({ io, places }: Zip, row: EntryInfo, cell: TableCell | undefined): Promise<string> {
  if (cell === undefined) return "";
  if (cell.type !== "files") return cellText(cell);
  const names: string[] = [];
  for (const { name, path, url } of cell.files) {
    const entry = path === null ? null : await io.snapshot.find(path);
    const place = entry && `${await places.placeOf(row)}/${fileName(entry.path, entry.title ?? "")}`;
    names.push(place ?? url ?? name);
  }
  return names.join("\n");
}

function leftOutFile(paths: readonly string[]): ExportFile {
  const more = paths.length - MOST_NAMED;
  const text = [
    "These files did not fit. What they would show is in metadata/ as JSON.",
    "",
    ...paths.slice(0, MOST_NAMED),
    ...(more > 0 ? [`and ${more} more`] : []),
    "",
  ];
  return { path: "LEFT-OUT.txt", source: "bytes", bytes: utf8(text.join("\n")) };
}
