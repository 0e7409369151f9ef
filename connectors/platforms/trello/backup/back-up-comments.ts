import { z } from "zod";
import { type BackupStage, isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { readComments } from "../read/read-actions.ts";
import { recordPaths } from "../record-paths.ts";
import { actionRecord, commentPath, recheckedCards } from "./back-up-history.ts";

const cursorSchema = z.strictObject({ done: z.number() });

/** Comments that the board's history does not settle: edited, deleted, or moved here with a card from another board. */
export function commentsStage(): BackupStage {
  return {
    id: "comments",
    async *run(run, cursor) {
      const ids = recheckedCards(run);
      const first = readCursor(cursorSchema, cursor)?.done ?? 0;
      if (ids.length === 0) return;
      for (const [index, cardId] of ids.entries()) {
        if (index < first) continue;
        try {
          const comments = await readComments(run.session, cardId);
          const there = new Set(comments.map((comment) => commentPath(cardId, comment)));
          for await (const { path } of run.order.previous?.list(recordPaths.commentsOf(cardId)) ?? [])
            if (!there.has(path)) yield { type: "drop", path };
          // An entry from another board may have a different card id, or none.
          for (const comment of comments) {
            const data = { ...comment.data, card: { ...comment.data.card, id: cardId } };
            yield actionRecord({ ...comment, data }, true);
          }
        } catch (error) {
          // The card was deleted after the board was read.
          if (!isOutOfReach(error)) throw error;
          yield {
            type: "skipped",
            path: recordPaths.commentsOf(cardId),
            kind: "comment",
            reason: error.message,
          };
        }
        const progress = {
          phase: "Reading comments",
          done: index + 1,
          total: ids.length,
          unit: "items",
        } as const;
        yield { type: "progress", progress };
        yield { type: "checkpoint", cursor: { done: index + 1 } };
      }
    },
  };
}
