import { type ShownNotes, shownNotes, shownText } from "#app/version/shown-texts.server.ts";
import { type CardPage, type OpenVersion, readCardPage } from "#core/browsing/index.ts";

/** An opened card with the HTML of its texts. */
export type ShownCard = Omit<CardPage, "comments" | "history"> & {
  html: string | null;
  comments: ShownNotes;
  history: ShownNotes;
};

/** Reads one card. @throws AppError `err.not.found` */
export async function readCard(
  open: OpenVersion,
  address: Parameters<typeof readCardPage>[1],
): Promise<ShownCard> {
  const page = await readCardPage(open, address);
  return {
    ...page,
    html: shownText(page.card.text),
    comments: shownNotes(page.comments),
    history: shownNotes(page.history),
  };
}
