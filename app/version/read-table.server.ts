import { type OpenVersion, readRowPage, readTablePage } from "#core/browsing/index.ts";
import type { ShownRow } from "./row-view.tsx";
import { shownBlocks, shownNotes, shownText } from "./shown-texts.server.ts";
import type { ShownTable } from "./table-frame.tsx";

/** Reads a table with some of its rows. @throws AppError `err.not.found` */
export async function readTable(
  open: OpenVersion,
  address: Parameters<typeof readTablePage>[1],
): Promise<ShownTable> {
  const page = await readTablePage(open, address);
  return { ...page, html: shownText(page.facts.text) };
}

/** Reads one row with its comments. @throws AppError `err.not.found` */
export async function readRow(
  open: OpenVersion,
  address: Parameters<typeof readRowPage>[1],
): Promise<ShownRow> {
  const page = await readRowPage(open, address);
  return { ...page, blocks: shownBlocks(page.row.blocks), comments: shownNotes(page.comments) };
}
