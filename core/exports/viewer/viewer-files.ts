import { z } from "zod";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { View } from "#connectors/contract/view.ts";
import { GitPackError } from "#connectors/toolkit/git/git-pack-error.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import type { ViewerCatalogue, ViewerPart } from "./data.ts";
import { dataScript } from "./escape.ts";
import { PART_FILE_BYTES, RESERVED_BYTES, VIEWER_BYTES } from "./limits.ts";
import { describeBoard, readCards } from "./read-board.ts";
import { describeFiles } from "./read-files.ts";
import { readPages } from "./read-pages.ts";
import { readTable } from "./read-table.ts";
import { readThreads } from "./read-threads.ts";
import type { FindInZip } from "./shape-part.ts";

/** Maximum plain bytes of all parts, bytes reserved for each later view, and the size of a file. */
export type ViewerRoom = { bytes: number; reserved: number; perFile: number };

const ROOM: ViewerRoom = { bytes: VIEWER_BYTES, reserved: RESERVED_BYTES, perFile: PART_FILE_BYTES };

/** The content of a view: its catalogue and its parts. */
type Content = {
  catalogue: Omit<ViewerCatalogue, "fileCount" | "cut">;
  parts: AsyncIterable<ViewerPart>;
  /** Number of parts in the version; null = unknown without reading them. */
  all: number | null;
};

/**
 * Writes the data files of the offline page: for each view, numbered files of parts and then a catalogue. Parts are
 * read one by one, and each file has a bounded size. Parts that no longer fit are left out; the catalogue says how
 * many, and the ZIP still has their records.
 */
export async function* viewerFiles(
  views: readonly View[],
  find: FindInZip,
  room: ViewerRoom = ROOM,
): AsyncGenerator<ExportFile, void> {
  let left = room.bytes;
  for (const [index, view] of views.entries()) {
    const later = views.length - index - 1;
    const bytes = Math.max(room.reserved, left - later * room.reserved);
    const packed: Packed = { fileCount: 0, shown: 0, bytes: 0, isCut: false };
    const catalogue: Partial<ViewerCatalogue> = {};
    try {
      const content = await open(view, find);
      Object.assign(catalogue, content.catalogue);
      yield* packParts(index, content.parts, { perFile: room.perFile, bytes }, packed);
      if (packed.isCut) catalogue.cut = { shown: packed.shown, all: content.all };
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      catalogue.obstacle = UNREADABLE;
    }
    left -= packed.bytes;
    yield dataFile(index, "index", { ...catalogue, fileCount: packed.fileCount });
  }
}

const UNREADABLE = "Something here could not be read while this page was made. The records are in the ZIP.";

/** A record that a reader cannot parse costs its view on the page, but not the ZIP. An error of the vault ends both. */
function isUnreadable(cause: unknown): boolean {
  return cause instanceof z.ZodError || cause instanceof GitPackError;
}

async function open(view: View, find: FindInZip): Promise<Content> {
  switch (view.kind) {
    case "files":
      return { catalogue: await describeFiles(await view.open()), parts: none(), all: 0 };
    case "board": {
      const board = await view.open();
      return { catalogue: await describeBoard(board), parts: readCards(board, find), all: null };
    }
    case "thread": {
      const threads = await view.open();
      return {
        catalogue: { words: threads.words },
        parts: readThreads(threads, find),
        all: threads.count,
      };
    }
    case "pages": {
      const words = { one: "page", many: "pages" };
      return { catalogue: { words }, parts: readPages(await view.open(), find), all: null };
    }
    case "table": {
      const words = { one: "row", many: "rows" };
      const table = await view.open();
      return { catalogue: { words }, parts: readTable(table, { id: "" }, find), all: null };
    }
    default:
      return view satisfies never;
  }
}

async function* none(): AsyncGenerator<ViewerPart, void> {}

type Packed = { fileCount: number; shown: number; bytes: number; isCut: boolean };

/** Writes parts into files of about one size until the limit is reached, and counts them in `packed`. */
async function* packParts(
  view: number,
  parts: AsyncIterable<ViewerPart>,
  room: { perFile: number; bytes: number },
  packed: Packed,
): AsyncGenerator<ExportFile, void> {
  let waiting: ViewerPart[] = [];
  let size = 0;
  const write = () => {
    packed.fileCount += 1;
    const file = dataFile(view, String(packed.fileCount), waiting);
    [waiting, size] = [[], 0];
    return file;
  };
  for await (const part of parts) {
    const bytes = utf8(JSON.stringify(part)).length;
    if (packed.bytes + bytes > room.bytes) {
      packed.isCut = true;
      break;
    }
    packed.bytes += bytes;
    packed.shown += 1;
    size += bytes;
    waiting.push(part);
    if (size >= room.perFile) yield write();
  }
  if (waiting.length > 0) yield write();
}

function dataFile(view: number, name: string, value: unknown): ExportFile {
  const bytes = utf8(dataScript(`${view}/${name}`, value));
  return { path: `viewer/${view}/${name}.js`, source: "bytes", bytes };
}
