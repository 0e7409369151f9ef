import { z } from "zod";
import type { BackupEvent, BackupOrder, Session } from "#connectors/contract/platform-connector.ts";
import { backUpRepository } from "#connectors/toolkit/git/repository/back-up-repository.ts";
import { ownRecord } from "#connectors/toolkit/records/own-record.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { type BackupStage, runStages } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { gistRemote, githubClient, paths } from "../client.ts";
import { GIT, wikiPlatform } from "../git-platform.ts";
import { gistDetailsSchema } from "../read/gist-record.ts";
import { authorAndDay, commentSchema, recordForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpAttachments } from "./back-up-attachments.ts";

const gistCommentSchema = commentSchema.partial({ updated_at: true });

/** Backs up a gist: its record, its git data with the full history, and its comments. */
export async function* backUpGist(session: Session, order: BackupOrder): AsyncGenerator<BackupEvent, void> {
  const { record } = gistDetailsSchema.parse(order.item.details);
  yield* ownRecord({ kind: "gist", path: recordPaths.gist, title: order.item.name, value: record });
  yield* runStages([gitStage, commentsStage], session, order);
}

const gitStage: BackupStage = {
  id: "git",
  takesEveryPoint: true,
  async *run({ session, order }, cursor) {
    const { gitUrl } = gistDetailsSchema.parse(order.item.details);
    const { previous, item } = order;
    const remote = gistRemote(session, gitUrl);
    const { sizeHintBytes } = item;
    yield* backUpRepository({ platform: wikiPlatform, remote, prefix: GIT, previous, cursor, sizeHintBytes });
  },
};

/** The comments. Every run reads all of them: a gist has few, and GitHub has no list of changes. */
const commentsStage: BackupStage = {
  id: "comments",
  optional: { kind: "gist-comment", path: "comments/", prefixes: ["comments/"] },
  async *run(run, cursor) {
    const { session, order } = run;
    const { comments } = gistDetailsSchema.parse(order.item.details);
    yield { type: "reported", kind: "gist-comment", count: comments };
    if (comments === 0) return;
    const call = {
      method: "GET",
      path: `${paths.gist(order.item.externalId)}/comments`,
      query: { per_page: 100 },
      about: "the comments of this gist",
      missing: "forbidden",
    } as const;
    let here = readCursor(z.string(), cursor);
    for await (const page of readPages(githubClient(session), call, z.array(gistCommentSchema), here)) {
      for (const comment of page.members) {
        yield {
          ...{ type: "record", path: recordPaths.gistComment(comment.id), kind: "gist-comment" },
          ...{ title: authorAndDay(comment.user, comment.created_at), parent: recordPaths.gist },
          value: recordForm(comment as Json),
        };
      }
      const texts = page.members.map(({ id, body }) => ({ text: body, parent: recordPaths.gistComment(id) }));
      yield* backUpAttachments(run, texts, { cursor: here });
      here = page.next;
      if (here !== null) yield { type: "checkpoint", cursor: here };
    }
  },
};
