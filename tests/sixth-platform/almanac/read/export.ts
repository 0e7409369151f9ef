import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { safeFileName } from "#connectors/toolkit/export/safe-file-name.ts";
import { STATE_PATH } from "#connectors/toolkit/records/backup-state.ts";
import { utf8 } from "#core/kernel/crypto.ts";

/** The files of the ZIP: a README, the files of pages and rows, and every record as JSON. */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string },
): AsyncIterable<ExportFile> {
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme(item.name)) };
  for await (const entry of snapshot.list()) {
    if (entry.path === STATE_PATH) continue;
    const path = entry.kind === "file" ? filePath(entry) : `metadata/${entry.path}`;
    yield { path, source: "entry", entry: entry.path };
  }
}

/** The id keeps two files of one name apart. */
function filePath({ path, title = "" }: EntryInfo): string {
  const id = path.slice(path.lastIndexOf("/") + 1);
  return `files/${id}/${safeFileName(title)}`;
}

function readme(name: string): string {
  return [
    `${name.replace(/\p{Cc}+/gu, " ")} - a backup of a book of Almanac`,
    "",
    "What is inside",
    "  index.html       the book with its pages and registers; open it in a browser, it needs no network",
    "  viewer/          what that page reads",
    "  files/           the files of pages and rows, each in a folder of its own",
    "  metadata/        everything as JSON: book.json, pages, registers with their rows, comments",
    "",
  ].join("\n");
}
