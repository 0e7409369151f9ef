import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { readChanges } from "#connectors/toolkit/records/read-changes.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { paths } from "../client.ts";
import { authorAndDay, commentSchema, type GithubComment } from "../record-form.ts";
import { recordPaths, type ThreadFolder } from "../record-paths.ts";
import { backUpAttachments } from "./back-up-attachments.ts";
import { positionSchema, withReactions } from "./back-up-issues.ts";
import { readReactions } from "./read-reactions.ts";
import { itemsProgress, openRepository, readNotes, THREADS_REST, writeNotes } from "./repository-run.ts";

/** Where a snapshot stores a comment. */
type Place = { path: string; parent: string; thread: ThreadFolder; number: number };

/** Comments on issues and pull requests, read from one list for the whole repository. */
export const commentsStage: BackupStage = {
  id: "comments",
  optional: { kind: "issue-comment", path: "issues/comments", prefixes: [] },
  rests: THREADS_REST,
  run: (run, cursor) =>
    changedComments(run, cursor, {
      ...{ mark: "comments", path: "/issues/comments", kind: "issue-comment", phase: "Reading comments" },
      place: placeOfComment,
    }),
};

/** Review comments: comments on lines of pull requests. */
export const reviewCommentsStage: BackupStage = {
  id: "review-comments",
  optional: { kind: "review-comment", path: "pulls/review-comments", prefixes: [] },
  rests: THREADS_REST,
  run: (run, cursor) =>
    changedComments(run, cursor, {
      ...{ mark: "reviewComments", path: "/pulls/comments", kind: "review-comment" },
      ...{ phase: "Reading comments on code", place: placeOfReviewComment },
    }),
};

type CommentList = {
  mark: string;
  path: string;
  kind: string;
  phase: string;
  place: (comment: GithubComment) => Place | null;
};

async function* changedComments(
  run: StagesRun,
  cursor: Json | null,
  { mark, path, kind, phase, place }: CommentList,
): AsyncGenerator<BackupEvent, void> {
  const { client, get } = openRepository(run);
  const list = {
    call: (since: string | null, page: number) =>
      get(path, "the comments", {
        ...{ sort: "updated", direction: "asc", page },
        ...(since === null ? {} : { since }),
      }),
    schema: z.array(commentSchema),
    idOf: (comment: GithubComment) => String(comment.id),
    changedAt: (comment: GithubComment) => comment.updated_at,
  };
  const from = { mark: run.known?.marks[mark] ?? null, position: readCursor(positionSchema, cursor) };
  let here = from.position;
  const { newComments } = readNotes(run);
  let done = 0;
  yield itemsProgress(phase, done, null);
  for await (const page of readChanges(client, list, from)) {
    const placed = page.members.flatMap((comment) => {
      const found = place(comment);
      return found === null ? [] : [{ comment, place: found }];
    });
    yield* commentRecords(run, placed, { kind, page: { cursor: here } });
    // Count after the records: if the slice ends among the attached files, the next one reads this page again, and must
    // not count it twice.
    if (run.known !== null && kind === "issue-comment") {
      for (const { place } of placed) {
        if (await run.order.previous?.find(place.path)) continue;
        newComments[place.number] = (newComments[place.number] ?? 0) + 1;
      }
      writeNotes(run, { newComments });
    }
    done += page.members.length;
    yield itemsProgress(phase, done, null);
    if (page.newest !== null) run.next.marks[mark] = page.newest;
    here = page.position;
    if (here !== null) yield { type: "checkpoint", cursor: here };
  }
}

async function* commentRecords(
  run: StagesRun,
  placed: readonly { comment: GithubComment; place: Place }[],
  { kind, page }: { kind: string; page?: { cursor: Json } },
): AsyncGenerator<BackupEvent, void> {
  const base = paths.repositoryByName(run.order.item.fullName);
  const list = kind === "issue-comment" ? "issues" : "pulls";
  const reacted = placed.filter(({ comment }) => (comment.reactions?.total_count ?? 0) > 0);
  const things = reacted.map(({ comment }) => ({
    nodeId: comment.node_id,
    path: `${base}/${list}/comments/${comment.id}/reactions`,
  }));
  const reactions = await readReactions(run.session, things);
  for (const one of placed) {
    const thing = things[reacted.indexOf(one)];
    const { comment, place } = one;
    yield {
      ...{ type: "record", path: place.path, kind, parent: place.parent },
      title: authorAndDay(comment.user, comment.created_at),
      value: withReactions(comment as Json, thing && reactions.get(thing)),
    };
  }
  yield* backUpAttachments(
    run,
    placed.map(({ comment, place }) => ({ text: comment.body, parent: place.parent })),
    page,
  );
}

/** The web URL tells issues and pull requests apart; the API URL uses `issues` for both. */
function placeOfComment(comment: GithubComment): Place | null {
  const number = Number(/\/issues\/(\d+)$/.exec(comment.issue_url ?? "")?.[1]);
  if (!Number.isSafeInteger(number)) return null;
  const thread = /\/pull\/\d+#/.test(comment.html_url ?? "") ? "pulls" : "issues";
  const path = recordPaths.comment(thread, number, comment.id);
  return { path, parent: recordPaths.thread(thread, number), thread, number };
}

function placeOfReviewComment(comment: GithubComment): Place | null {
  const number = Number(/\/pulls\/(\d+)$/.exec(comment.pull_request_url ?? "")?.[1]);
  if (!Number.isSafeInteger(number)) return null;
  const path = recordPaths.reviewComment(number, comment.id);
  return { path, parent: recordPaths.pull(number), thread: "pulls", number };
}

/**
 * Drops deleted comments of changed issues. GitHub's comment count differs from the snapshot's when a comment was
 * deleted; only those issues are read one by one.
 */
export const deletedCommentsStage: BackupStage = {
  id: "deleted-comments",
  optional: { kind: "issue-comment", path: "issues/comments", prefixes: [] },
  async *run(run, cursor) {
    const { commentCounts, newComments, pulls } = readNotes(run);
    const { previous } = run.order;
    if (run.known === null || previous === null) return;
    const after = readCursor(z.number(), cursor) ?? 0;
    for (const [text, count] of Object.entries(commentCounts)) {
      const number = Number(text);
      if (number <= after) continue;
      const thread: ThreadFolder = pulls.has(number) ? "pulls" : "issues";
      let held = newComments[number] ?? 0;
      for await (const _ of previous.list(recordPaths.comments(thread, number))) held += 1;
      if (held !== count) yield* compareComments(run, thread, number);
      yield { type: "checkpoint", cursor: number };
    }
  },
};

/** Reads the comments of one issue again and drops those that no longer exist. */
async function* compareComments(
  run: StagesRun,
  thread: ThreadFolder,
  number: number,
): AsyncGenerator<BackupEvent, void> {
  const { client, get } = openRepository(run);
  const alive = new Set<string>();
  const call = get(`/issues/${number}/comments`, `the comments of #${number}`);
  for await (const { members } of readPages(client, call, z.array(commentSchema))) {
    const parent = recordPaths.thread(thread, number);
    const placed = members.map((comment) => {
      const path = recordPaths.comment(thread, number, comment.id);
      return { comment, place: { path, parent, thread, number } };
    });
    for (const { place } of placed) alive.add(place.path);
    yield* commentRecords(run, placed, { kind: "issue-comment" });
  }
  for await (const { path } of run.order.previous?.list(recordPaths.comments(thread, number)) ?? []) {
    if (!alive.has(path)) yield { type: "drop", path };
  }
}
