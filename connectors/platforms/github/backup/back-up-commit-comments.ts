import { z } from "zod";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { paths } from "../client.ts";
import { authorAndDay, commentSchema } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpAttachments } from "./back-up-attachments.ts";
import { withReactions } from "./back-up-issues.ts";
import { readReactions } from "./read-reactions.ts";
import { itemsProgress, openRepository, readNotes } from "./repository-run.ts";

const cursorSchema = z.strictObject({ next: z.string(), done: z.int() });
const PREFIX = recordPaths.commitComments;

/**
 * Comments on commits, which are no part of any pull request. GitHub's list has no dates to ask for, so all are read
 * when their total differs from that of the previous version, and in the weekly full read.
 */
export const commitCommentsStage: BackupStage = {
  id: "commit-comments",
  optional: { kind: "commit-comment", path: PREFIX, prefixes: [PREFIX] },
  async *run(run, cursor) {
    const total = readNotes(run).totals?.commitComments ?? null;
    if (run.known !== null && total !== null && total === run.known.counts.commitComments) {
      yield { type: "keep-all", prefix: PREFIX };
      return;
    }
    const resumed = readCursor(cursorSchema, cursor);
    let done = resumed?.done ?? 0;
    if (total === 0) {
      run.next.counts.commitComments = 0;
      return;
    }
    const { client, get } = openRepository(run);
    const base = paths.repositoryByName(run.order.item.fullName);
    const call = get("/comments", "the comments on commits");
    let here: Json = cursor;
    for await (const { members, next } of readPages(
      client,
      call,
      z.array(commentSchema),
      resumed?.next ?? null,
    )) {
      const things = members.map(({ id, node_id, reactions }) =>
        (reactions?.total_count ?? 0) > 0
          ? { nodeId: node_id, path: `${base}/comments/${id}/reactions` }
          : null,
      );
      const reactions = await readReactions(
        run.session,
        things.filter((thing) => thing !== null),
      );
      for (const [index, comment] of members.entries()) {
        const thing = things[index];
        yield {
          ...{ type: "record", path: recordPaths.commitComment(comment.id), kind: "commit-comment" },
          title: authorAndDay(comment.user, comment.created_at),
          value: withReactions(comment as Json, thing ? reactions.get(thing) : undefined),
        };
      }
      const texts = members.map(({ id, body }) => ({ text: body, parent: recordPaths.commitComment(id) }));
      yield* backUpAttachments(run, texts, { cursor: here });
      done += members.length;
      yield itemsProgress("Reading comments on commits", done, total);
      if (next === null) break;
      here = { next, done };
      yield { type: "checkpoint", cursor: here };
    }
    run.next.counts.commitComments = done;
  },
};
