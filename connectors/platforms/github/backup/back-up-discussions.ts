import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { dropMissing, nameBelow } from "#connectors/toolkit/records/drop-missing.ts";
import { type NumberSet, numberSet, numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { askForFewer, openSizes } from "#connectors/toolkit/records/shrink.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { askGraphql, countedNodesOf, nodesOf, pageInfo } from "../graphql.ts";
import { authorAndDay } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { type AttachedText, backUpAttachments } from "./back-up-attachments.ts";
import { groupReactions, reactionListSchema, readReactions } from "./read-reactions.ts";
import { itemsProgress, openRepository, reportHidden, reportSwitchedOff } from "./repository-run.ts";

const REACTIONS = "reactions(first: 20) { nodes { content user { login } } pageInfo { hasNextPage } }";
const COMMENT = `id databaseId author { login } body createdAt updatedAt url isAnswer ${REACTIONS}`;
const COMMENTS = `nodes {
  ${COMMENT}
  replies(first: 20) { nodes { ${COMMENT} } pageInfo { hasNextPage endCursor } }
}
pageInfo { hasNextPage endCursor }`;
const DISCUSSIONS = `query Discussions($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: $first, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      totalCount
      nodes {
        id
        number
        title
        body
        author { login }
        createdAt
        updatedAt
        url
        locked
        closed
        closedAt
        stateReason
        category { name emoji isAnswerable }
        labels(first: 50) { nodes { name } }
        answer { databaseId }
        ${REACTIONS}
        comments(first: 20) { ${COMMENTS} }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;
const MORE_COMMENTS = `query MoreComments($id: ID!, $first: Int!, $after: String) {
  node(id: $id) { ... on Discussion { comments(first: $first, after: $after) { ${COMMENTS} } } }
}`;
const MORE_REPLIES = `query MoreReplies($id: ID!, $first: Int!, $after: String) {
  node(id: $id) {
    ... on DiscussionComment { replies(first: $first, after: $after) { nodes { ${COMMENT} } pageInfo { hasNextPage endCursor } } }
  }
}`;
const NUMBERS = `query DiscussionNumbers($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: 100, after: $after) { nodes { number } pageInfo { hasNextPage endCursor } }
  }
}`;

const person = z.object({ login: z.string() }).nullish();
const commentSchema = z.looseObject({
  id: z.string(),
  databaseId: z.int(),
  body: z.string().nullish(),
  author: person,
  createdAt: z.string(),
  reactions: reactionListSchema.optional(),
});
const repliesSchema = z.object({ nodes: countedNodesOf(commentSchema), pageInfo });
const threadSchema = commentSchema.extend({ replies: repliesSchema });
const commentsSchema = z.object({ nodes: countedNodesOf(threadSchema), pageInfo });
const discussionSchema = z.looseObject({
  id: z.string(),
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  author: person,
  updatedAt: z.string(),
  labels: z.object({ nodes: nodesOf(z.object({ name: z.string() })) }).nullish(),
  answer: z.object({ databaseId: z.int() }).nullish(),
  reactions: reactionListSchema.optional(),
  comments: commentsSchema,
});
type Discussion = z.output<typeof discussionSchema>;
type Comment = z.output<typeof commentSchema>;
const listSchema = z.object({
  repository: z.object({
    discussions: z.object({ totalCount: z.int(), nodes: countedNodesOf(discussionSchema), pageInfo }),
  }),
});
const moreCommentsSchema = z.object({ node: z.object({ comments: commentsSchema }) });
const moreRepliesSchema = z.object({ node: z.object({ replies: repliesSchema }) });
const numbersSchema = z.object({
  repository: z.object({
    discussions: z.object({ nodes: countedNodesOf(z.object({ number: z.int() })), pageInfo }),
  }),
});
const cursorSchema = z.strictObject({
  after: z.string().nullable(),
  seen: numberSetSchema,
  newest: z.string().nullable(),
  /** Discussions that GitHub listed but did not show. */
  hidden: z.int().nonnegative().default(0),
});
const OVERLAP_MS = 5 * 60_000;

/**
 * Discussions with their comments and replies, last changed first, down to the newest change in the previous snapshot.
 */
export const discussionsStage: BackupStage = {
  id: "discussions",
  optional: { kind: "discussion", path: "discussions/", prefixes: ["discussions/"] },
  async *run(run, cursor) {
    const { owner, name, fullName, features } = openRepository(run);
    if (features.discussions !== true) {
      yield* reportSwitchedOff(run, { kind: "discussion", prefix: "discussions/", what: "Discussions" });
      return;
    }
    const mark = run.known?.marks.discussions ?? null;
    const state = readCursor(cursorSchema, cursor) ?? {
      ...{ after: null, seen: numberSet(), newest: null, hidden: 0 },
    };
    const { seen } = state;
    let { hidden } = state;
    let newest = state.newest ?? mark;
    let total = 0;
    if (run.known !== null && cursor === null) yield { type: "keep-all", prefix: "discussions/" };
    const sizes = openSizes();
    for (let after = state.after; ; ) {
      const answer = await askForFewer(sizes, 20, (first) => {
        const variables = { owner, name, first, after };
        const question = { document: DISCUSSIONS, variables, schema: listSchema };
        return askGraphql(run.session, { ...question, about: `the discussions of ${fullName}` });
      });
      const { nodes, pageInfo, totalCount } = answer.repository.discussions;
      total = totalCount;
      const here = { after, seen: seen.toText(), newest, hidden };
      const texts: AttachedText[] = [];
      for (const discussion of nodes.shown) {
        texts.push(...(yield* discussionRecords(run, discussion)));
        seen.add(discussion.number);
        if (newest === null || discussion.updatedAt > newest) newest = discussion.updatedAt;
      }
      yield* backUpAttachments(run, texts, { cursor: here });
      hidden += nodes.hidden;
      yield itemsProgress("Reading discussions", seen.size(), mark === null ? total : null);
      const isOld = mark !== null && nodes.shown.some(({ updatedAt }) => isBefore(updatedAt, mark));
      after = pageInfo.endCursor ?? null;
      if (isOld || !pageInfo.hasNextPage || after === null) break;
      yield { type: "checkpoint", cursor: { after, seen: seen.toText(), newest, hidden } };
    }
    if (newest !== null) run.next.marks.discussions = newest;
    yield { type: "reported", kind: "discussion", count: total };
    yield* reportHidden(hidden, { kind: "discussion", path: "discussions/", what: "discussions" });
    if (hidden > 0) yield* keepUnseen(run, seen);
    else if (run.known !== null) yield* dropDeleted(run, seen, total);
  },
};

function isBefore(time: string, mark: string): boolean {
  return Date.parse(time) < Date.parse(mark) - OVERLAP_MS;
}

/** @returns the texts, which may have attached files */
async function* discussionRecords(
  run: StagesRun,
  { comments, labels, answer, ...facts }: Discussion,
): AsyncGenerator<BackupEvent, AttachedText[]> {
  const path = recordPaths.discussion(facts.number);
  const value = {
    ...(await formOf(run, facts)),
    labels: (labels?.nodes ?? []).map((label) => label.name).sort(),
    answer: answer?.databaseId ?? null,
  };
  yield { type: "record", path, kind: "discussion", title: `#${facts.number} ${facts.title}`, value };
  const alive = new Set<string>();
  const texts: AttachedText[] = [{ text: facts.body, parent: path }];
  let hidden = 0;
  for await (const comment of allComments(run, facts.id, comments)) {
    if (comment === null) {
      hidden += 1;
      continue;
    }
    const commentPath = recordPaths.discussionComment(facts.number, comment.databaseId);
    alive.add(commentPath);
    texts.push({ text: comment.body, parent: path });
    yield {
      ...{ type: "record", path: commentPath, kind: "discussion-comment", parent: path },
      title: authorAndDay(comment.author ?? null, comment.createdAt),
      value: await formOf(run, comment),
    };
  }
  const what = `comments of discussion #${facts.number}`;
  yield* reportHidden(hidden, { kind: "discussion-comment", path, what });
  if (run.known === null || hidden > 0) return texts;
  const folder = path.replace(/discussion\.json$/, "comments/");
  for await (const old of run.order.previous?.list(folder) ?? []) {
    if (!alive.has(old.path)) yield { type: "drop", path: old.path };
  }
  return texts;
}

/**
 * Yields the comments, each followed by its replies, and fetches the pages that the first response did not include.
 * Yields null for each comment that GitHub hides.
 */
async function* allComments(
  run: StagesRun,
  id: string,
  first: z.output<typeof commentsSchema>,
): AsyncGenerator<(Comment & { replyTo?: number }) | null, void> {
  const sizes = openSizes();
  for (let page = first; ; ) {
    for (const { replies, ...comment } of page.nodes.shown) {
      yield comment;
      for await (const reply of allReplies(run, comment.id, replies)) {
        yield reply && { ...reply, replyTo: comment.databaseId };
      }
    }
    yield* nulls(page.nodes.hidden);
    if (!page.pageInfo.hasNextPage) return;
    const after = page.pageInfo.endCursor ?? null;
    const { node } = await askForFewer(sizes, 50, (first) => {
      const question = {
        document: MORE_COMMENTS,
        variables: { id, first, after },
        schema: moreCommentsSchema,
      };
      return askGraphql(run.session, { ...question, about: "the comments of a discussion" });
    });
    page = node.comments;
  }
}

async function* allReplies(
  run: StagesRun,
  id: string,
  first: z.output<typeof repliesSchema>,
): AsyncGenerator<Comment | null, void> {
  const sizes = openSizes();
  for (let page = first; ; ) {
    yield* page.nodes.shown;
    yield* nulls(page.nodes.hidden);
    if (!page.pageInfo.hasNextPage) return;
    const after = page.pageInfo.endCursor ?? null;
    const { node } = await askForFewer(sizes, 100, (first) => {
      const question = { document: MORE_REPLIES, variables: { id, first, after }, schema: moreRepliesSchema };
      return askGraphql(run.session, { ...question, about: "the replies in a discussion" });
    });
    page = node.replies;
  }
}

function nulls(count: number): null[] {
  return Array.from({ length: count }, () => null);
}

/** Converts a GraphQL object to a record: its own fields, and its reactions in the form of the other records. */
async function formOf(
  { session }: StagesRun,
  { reactions, ...thing }: { id: string; reactions?: z.output<typeof reactionListSchema> | undefined },
): Promise<{ [key: string]: Json }> {
  const form = thing as { [key: string]: Json };
  if (reactions === undefined) return form;
  const asked = { nodeId: thing.id, path: null };
  const all = groupReactions(reactions) ?? (await readReactions(session, [asked])).get(asked) ?? {};
  return Object.keys(all).length === 0 ? form : { ...form, reactions: all };
}

/** Keeps unread discussions of the previous snapshot, because GitHub may be hiding them. */
async function* keepUnseen({ known, order }: StagesRun, seen: NumberSet): AsyncGenerator<BackupEvent, void> {
  if (known !== null) return;
  for await (const { path } of order.previous?.list("discussions/") ?? []) {
    if (!seen.has(Number(nameBelow("discussions/", path)))) yield { type: "keep", path };
  }
}

/** Drops deleted discussions. The numbers of all discussions are read only if GitHub's total differs. */
async function* dropDeleted(
  run: StagesRun,
  seen: NumberSet,
  total: number,
): AsyncGenerator<BackupEvent, void> {
  const { previous } = run.order;
  if (previous === null) return;
  const held = numberSet(seen.toText());
  for await (const { path } of previous.list("discussions/")) {
    const number = /^discussions\/(\d+)\/discussion\.json$/.exec(path)?.[1];
    if (number !== undefined) held.add(Number(number));
  }
  if (held.size() === total) return;
  const { owner, name, fullName } = openRepository(run);
  const alive = numberSet();
  for (let after: string | null = null; ; ) {
    const question = { document: NUMBERS, variables: { owner, name, after }, schema: numbersSchema };
    const answer: z.output<typeof numbersSchema> = await askGraphql(run.session, {
      ...question,
      about: `the discussions of ${fullName}`,
    });
    const { nodes, pageInfo } = answer.repository.discussions;
    // A hidden discussion may still exist.
    if (nodes.hidden > 0) return;
    for (const { number } of nodes.shown) alive.add(number);
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) break;
  }
  yield* dropMissing(previous, "discussions/", (name) => alive.has(Number(name)) || seen.has(Number(name)));
}
