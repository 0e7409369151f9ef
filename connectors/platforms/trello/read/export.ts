import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { toCsv } from "#connectors/toolkit/export/csv.ts";
import { STATE_PATH } from "#connectors/toolkit/records/backup-state.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { cardRows, commentRows } from "./export-csv.ts";
import { type ExportedBoard, readExportedBoard } from "./export-view.ts";

/**
 * The files of the ZIP: tables for a spreadsheet, the attachments, and everything as JSON. They depend only on the
 * version.
 */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string },
): AsyncIterable<ExportFile> {
  const view = await readExportedBoard(snapshot);
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme(item.name, view)) };
  yield { path: "cards.csv", source: "bytes", bytes: utf8(toCsv(cardRows(view))) };
  yield { path: "comments.csv", source: "bytes", bytes: utf8(toCsv(commentRows(view))) };
  for (const { path, entry } of view.files) yield { path, source: "entry", entry };
  for await (const { path, type } of snapshot.list()) {
    if (type === "record" && path !== STATE_PATH)
      yield { path: `metadata/${path}`, source: "entry", entry: path };
  }
}

function readme(name: string, view: ExportedBoard): string {
  const title = name.replace(/\p{Cc}+/gu, " ");
  return [
    `${title} - a backup of a Trello board`,
    "",
    "What is inside",
    "  index.html       the board with its cards and a search; open it in a browser, it needs no network",
    "  viewer/          what that page reads",
    `  cards.csv        ${view.cards.length} cards, one line each, for a spreadsheet`,
    `  comments.csv     ${view.commentCount} comments`,
    `  attachments/     ${view.files.length} files that were uploaded to cards`,
    "  metadata/        everything as JSON, in Trello's own words:",
    "                   board.json, lists, labels, custom-fields, members, settings,",
    "                   cards/<id>/card.json, comments/<id of the card>/, actions/ (the history)",
    "",
    "How to read a card in JSON",
    "  idList, idLabels and idMembers name the files in lists/, labels/ and members/.",
    "  checklists, customFieldItems, stickers and the facts of attachments stand in the card itself.",
    "",
    "What is not inside",
    "  Automation rules: Trello's API does not show them.",
    "",
  ].join("\n");
}
