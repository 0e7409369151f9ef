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

/** A text of strangers with its HTML; null = it is better shown as it was written. */
export type ShownNote = BoardNote & { html: string | null };

/** What an opened card reads. */
export type CardData = {
  itemId: string;
  snapshotId: string;
  /** Null = the version does not hold it. */
  page:
    | (Omit<CardPage, "comments"> & {
        html: string | null;
        comments: { notes: ShownNote[]; next: string | null };
      })
    | null;
  /** Why it cannot be shown, in a sentence. */
  problem: string | null;
  canRestoreParts: boolean;
  timeZone: string;
  now: number;
};

/** Which card of which version, and from where on its comments and history are shown. */
export type CardAddress = {
  itemId: string;
  snapshotId: string;
  cardId: string;
  commentsBefore: string | null;
  historyBefore: string | null;
};

/** Reads one card. Null for members who may not look into versions: the page behind it says so. */
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
