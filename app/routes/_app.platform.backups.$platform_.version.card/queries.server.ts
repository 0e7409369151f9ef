import { renderMarkdown } from "#app/markdown/render-markdown.server.ts";
import type { BoardNote } from "#connectors/contract/board-view.ts";
import {
  type CardPage,
  canRestoreParts,
  openBoard,
  openForReading,
  readable,
  readCardPage,
} from "#core/browsing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, mayManage } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";

/** A foreign text with its HTML; null when it is shown as plain text. */
export type ShownNote = BoardNote & { html: string | null };

/** The data of an open card. */
export type CardData = {
  itemId: string;
  snapshotId: string;
  /** Null when the version does not contain the card. */
  page:
    | (Omit<CardPage, "comments"> & {
        html: string | null;
        comments: { notes: ShownNote[]; next: string | null };
      })
    | null;
  /** Why the card cannot be shown. */
  problem: string | null;
  canRestoreParts: boolean;
  timeZone: string;
  now: number;
};

/** The card and its version, and the start of the shown comments and history. */
export type CardAddress = {
  itemId: string;
  snapshotId: string;
  cardId: string;
  commentsBefore: string | null;
  historyBefore: string | null;
};

/** Reads one card. Returns null for members who may not read versions; the page behind it explains that. */
export async function readCard(
  services: Services,
  member: Member,
  platform: string,
  address: CardAddress,
): Promise<CardData | null> {
  if (!(await mayManage(services, member, platform))) return null;
  const { itemId, snapshotId } = address;
  const data: CardData = {
    itemId,
    snapshotId,
    page: null,
    problem: null,
    canRestoreParts: false,
    timeZone: member.timeZone,
    now: services.clock.now(),
  };
  try {
    await readable(async () => {
      const open = await openForReading(services, member, { itemId, snapshotId });
      const { view, connector, item } = open;
      if (item.platform !== platform) throw new AppError("err.not.found");
      const page = await readCardPage(openBoard(connector, view), address);
      data.canRestoreParts = canRestoreParts(open);
      data.page = {
        ...page,
        html: page.card.text === "" ? null : renderMarkdown(page.card.text),
        comments: {
          next: page.comments.next,
          notes: page.comments.notes.map((note) => ({ ...note, html: renderMarkdown(note.text) })),
        },
      };
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "err.version.unreadable") data.problem = error.message;
    else if (error.code !== "err.not.found") throw error;
  }
  return data;
}
