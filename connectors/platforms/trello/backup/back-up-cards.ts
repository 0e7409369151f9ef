import { z } from "zod";
import type { BackupEvent, Session } from "#connectors/contract/platform-connector.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { type BackupStage, isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { TrelloAttachment, TrelloCard } from "../payloads.ts";
import { cardForm, sortedBy } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import type { BoardSight, OldBoard } from "./board-sight.ts";
import { attachmentDownload } from "./download-attachment.ts";

const cursorSchema = z.strictObject({ cardId: z.string(), done: z.number() });

/** Each card as one record, followed by its uploaded files. */
export function cardsStage(sight: BoardSight): BackupStage {
  return {
    id: "cards",
    async *run(run, cursor) {
      const resumed = readCursor(cursorSchema, cursor) ?? { cardId: "", done: 0 };
      const cards = await sight.cards(run.session);
      const old = await sight.old();
      let done = resumed.done;
      for (const card of cards) {
        if (card.id <= resumed.cardId) continue;
        const path = recordPaths.card(card.id);
        yield { type: "record", path, kind: "card", title: card.name, value: cardForm(card) };
        for (const attachment of sortedBy(card.attachments, ({ id }) => id)) {
          if (attachment.isUpload) yield* backUpFile(run.session, card, { attachment, old });
        }
        done += 1;
        const progress = { phase: "Reading cards", done, total: cards.length, unit: "items" } as const;
        yield { type: "progress", progress };
        yield { type: "checkpoint", cursor: { cardId: card.id, done } };
      }
    },
  };
}

/** A file's bytes never change at Trello, so its id and size show whether the previous version has them. */
async function* backUpFile(
  session: Session,
  card: TrelloCard,
  { attachment, old }: { attachment: TrelloAttachment; old: OldBoard },
): AsyncGenerator<BackupEvent, void> {
  const { id, name, bytes } = attachment;
  const path = recordPaths.attachment(card.id, id);
  const oldBytes = old.attachments.get(path);
  if (oldBytes !== undefined && (bytes === null || oldBytes === bytes)) {
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
