import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openTable, TABLE_LIMITS, type TableLimits } from "#connectors/toolkit/export/open-table.ts";
import { STATE_PATH } from "#connectors/toolkit/records/backup-state.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { cardFolders } from "./card-folders.ts";
import { COMMENT_COLUMNS, cardColumns, cardRow, commentRows } from "./export-csv.ts";
import { readExportedCard, readNames } from "./export-view.ts";

/**
 * The files of the ZIP: the attachments, tables for a spreadsheet, and everything as JSON. They depend only on the
 * version. Reads one card at a time; a part of a table is in the order of the board.
 */
export async function* exportFiles(
  snapshot: SnapshotView,
  item: { name: string },
  limits: TableLimits = TABLE_LIMITS,
): AsyncGenerator<ExportFile, void> {
  yield { path: "README.txt", source: "bytes", bytes: utf8(readme(item.name, snapshot.counts())) };
  const names = await readNames(snapshot);
  const cards = openTable("cards", () => cardColumns(names), limits);
  const comments = openTable("comments", () => COMMENT_COLUMNS, limits);
  for await (const folder of cardFolders(snapshot)) {
    const { view, files } = await readExportedCard(snapshot, folder, names);
    for (const [path, entry] of files) yield { path, source: "entry", entry };
    yield* cards.add(cardRow(view, names), view.rank);
    for (const row of commentRows(view)) yield* comments.add(row, view.rank);
  }
  yield* cards.end();
  yield* comments.end();
  for await (const { path, type } of snapshot.list()) {
    if (type === "record" && path !== STATE_PATH)
      yield { path: `metadata/${path}`, source: "entry", entry: path };
  }
}

function readme(name: string, counts: Readonly<Record<string, number>>): string {
  const count = (kind: string) => String(counts[kind] ?? 0);
  const title = name.replace(/\p{Cc}+/gu, " ");
  return [
    `${title} - a backup of a Trello board`,
    "",
    "What is inside",
    "  index.html       the board with its cards and a search; open it in a browser, it needs no network",
    "  viewer/          what that page reads",
    `  cards.csv        ${count("card")} cards, one line each, for a spreadsheet`,
    `  comments.csv     ${count("comment")} comments`,
    "                   (large tables go on in cards-2.csv and so on)",
    `  attachments/     ${count("attachment")} files that were uploaded to cards`,
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
