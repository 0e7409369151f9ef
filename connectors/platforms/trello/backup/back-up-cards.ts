import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { type BackupStage, isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { TrelloAttachment, TrelloCard } from "../payloads.ts";
import { cardForm, sortedBy } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { keptFrom, noteChanged } from "./back-up-history.ts";
import { type BoardSight, countedComments, isChanged } from "./board-sight.ts";
import { attachmentDownload } from "./download-attachment.ts";

const cursorSchema = z.strictObject({
  /** The id of the last card that was read: cards come by descending id. */
  before: z.string(),
  done: z.number(),
  /** Uploaded files on these cards. */
  files: z.number(),
});

/**
 * Each card as one record, followed by its uploaded files. Page by page, newest first: only one page is in memory. Notes
 * the changed cards for the comments.
 */
export function cardsStage(sight: BoardSight): BackupStage {
  return {
    id: "card-pages",
    async *run(run, cursor) {
      const resumed = readCursor(cursorSchema, cursor);
      let { done, files } = resumed ?? { done: 0, files: 0 };
      const known = keptFrom(run);
      for await (const cards of sight.cardPages(run.session, resumed?.before ?? null)) {
        for (const [index, card] of cards.entries()) {
          const path = recordPaths.card(card.id);
          yield { type: "record", path, kind: "card", title: card.name, value: cardForm(card) };
          const uploads = sortedBy(card.attachments, ({ id }) => id).filter(({ isUpload }) => isUpload);
          for (const attachment of uploads) yield* backUpFile(run, card, attachment);
          if (known !== null && countedComments(card) > 0 && (await isChanged(card, known)))
            noteChanged(run, card.id);
          done += 1;
          files += uploads.length;
          // What lies between two points is read again by a slice that has to resume.
          if (uploads.length === 0 && index < cards.length - 1) continue;
          const progress = { phase: "Reading cards", done, total: null, unit: "items" } as const;
          yield { type: "progress", progress };
          yield { type: "checkpoint", cursor: { before: card.id, done, files } };
        }
      }
      yield { type: "reported", kind: "card", count: done };
      yield { type: "reported", kind: "attachment", count: files };
    },
  };
}

/** A file's bytes never change at Trello, so its id and size show whether the previous version has them. */
async function* backUpFile(
  { session, order }: StagesRun,
  card: TrelloCard,
  attachment: TrelloAttachment,
): AsyncGenerator<BackupEvent, void> {
  const { id, name, bytes } = attachment;
  const path = recordPaths.attachment(card.id, id);
  const old = (await order.previous?.find(path)) ?? null;
  if (old !== null && (bytes === null || old.sizeBytes === bytes)) {
    yield { type: "keep", path };
    return;
  }
  try {
    const { write } = await openDownload(session, attachmentDownload(session, card.id, attachment));
    yield {
      type: "stream",
      path,
      kind: "attachment",
      title: name,
      parent: recordPaths.card(card.id),
      write: (sink, report) =>
        write(sink, (done) => report?.({ phase: `Receiving ${name}`, done, total: bytes, unit: "bytes" })),
    };
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    yield { type: "skipped", path, kind: "attachment", reason: error.message };
  }
}
