import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { dropMissing } from "#connectors/toolkit/records/drop-missing.ts";
import { type NumberSet, numberSet, numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import type { BackupPart, PartsRun } from "#connectors/toolkit/records/run-parts.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { type AttachedText, backUpAttachments } from "./back-up-attachments.ts";
import { askGraphql } from "./graphql.ts";
import { groupReactions, reactionListSchema, readReactions } from "./read-reactions.ts";
import { authorAndDay } from "./record-form.ts";
import { recordPaths } from "./record-paths.ts";
import { itemsProgress, openRepository, tellSwitchedOff } from "./repository-run.ts";

const REACTIONS = "reactions(first: 20) { nodes { content user { login } } pageInfo { hasNextPage } }";
const COMMENT = `id databaseId author { login } body createdAt updatedAt url isAnswer ${REACTIONS}`;
const COMMENTS = `nodes {
  ${COMMENT}
  replies(first: 20) { nodes { ${COMMENT} } pageInfo { hasNextPage endCursor } }
}
pageInfo { hasNextPage endCursor }`;
const DISCUSSIONS = `query Discussions($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: 20, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
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
const MORE_COMMENTS = `query MoreComments($id: ID!, $after: String) {
  node(id: $id) { ... on Discussion { comments(first: 50, after: $after) { ${COMMENTS} } } }
}`;
const MORE_REPLIES = `query MoreReplies($id: ID!, $after: String) {
  node(id: $id) {
    ... on DiscussionComment { replies(first: 100, after: $after) { nodes { ${COMMENT} } pageInfo { hasNextPage endCursor } } }
  }
}`;
const NUMBERS = `query DiscussionNumbers($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: 100, after: $after) { nodes { number } pageInfo { hasNextPage endCursor } }
  }
}`;

const person = z.object({ login: z.string() }).nullish();
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
const commentSchema = z.looseObject({
  id: z.string(),
  databaseId: z.int(),
  body: z.string().nullish(),
  author: person,
  createdAt: z.string(),
  reactions: reactionListSchema.optional(),
});
const repliesSchema = z.object({ nodes: z.array(commentSchema), pageInfo });
const threadSchema = commentSchema.extend({ replies: repliesSchema });
const commentsSchema = z.object({ nodes: z.array(threadSchema), pageInfo });
const discussionSchema = z.looseObject({
  id: z.string(),
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  author: person,
  updatedAt: z.string(),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }).nullish(),
  answer: z.object({ databaseId: z.int() }).nullish(),
  reactions: reactionListSchema.optional(),
  comments: commentsSchema,
});
type Discussion = z.output<typeof discussionSchema>;
type Comment = z.output<typeof commentSchema>;
const listSchema = z.object({
  repository: z.object({
    discussions: z.object({ totalCount: z.int(), nodes: z.array(discussionSchema), pageInfo }),
  }),
});
const moreCommentsSchema = z.object({ node: z.object({ comments: commentsSchema }) });
const moreRepliesSchema = z.object({ node: z.object({ replies: repliesSchema }) });
const numbersSchema = z.object({
  repository: z.object({
    discussions: z.object({ nodes: z.array(z.object({ number: z.int() })), pageInfo }),
  }),
});
const cursorSchema = z.strictObject({
  after: z.string().nullable(),
  seen: numberSetSchema,
  newest: z.string().nullable(),
});
const OVERLAP_MS = 5 * 60_000;

/** Discussions with their comments and replies, the newest change first, down to what the previous version has. */
export const discussionsPart: BackupPart = {
  id: "discussions",
  optional: { kind: "discussion", path: "discussions/", prefixes: ["discussions/"] },
  async *run(run, cursor) {
    const { owner, name, fullName, features } = openRepository(run);
    if (features.discussions !== true) {
      yield* tellSwitchedOff(run, { kind: "discussion", prefix: "discussions/", what: "Discussions" });
      return;
    }
    const mark = run.known?.marks.discussions ?? null;
    const state = readCursor(cursorSchema, cursor) ?? { after: null, seen: numberSet(), newest: null };
    const { seen } = state;
    let newest = state.newest ?? mark;
    let total = 0;
    if (run.known !== null && cursor === null) yield { type: "keep-all", prefix: "discussions/" };
    for (let after = state.after; ; ) {
      const question = { document: DISCUSSIONS, variables: { owner, name, after }, schema: listSchema };
      const answer = await askGraphql(run.session, { ...question, about: `the discussions of ${fullName}` });
      const { nodes, pageInfo, totalCount } = answer.repository.discussions;
      total = totalCount;
      const here = { after, seen: seen.toText(), newest };
      const texts: AttachedText[] = [];
      for (const discussion of nodes) {
        texts.push(...(yield* discussionRecords(run, discussion)));
        seen.add(discussion.number);
        if (newest === null || discussion.updatedAt > newest) newest = discussion.updatedAt;
      }
      yield* backUpAttachments(run, texts, { cursor: here });
      yield itemsProgress("Reading discussions", seen.size(), mark === null ? total : null);
      const isOld = mark !== null && nodes.some(({ updatedAt }) => isBefore(updatedAt, mark));
      after = pageInfo.endCursor ?? null;
      if (isOld || !pageInfo.hasNextPage || after === null) break;
      yield { type: "checkpoint", cursor: { after, seen: seen.toText(), newest } };
    }
    if (newest !== null) run.next.marks.discussions = newest;
    yield { type: "reported", kind: "discussion", count: total };
    if (run.known !== null) yield* dropDeleted(run, seen, total);
  },
};

function isBefore(time: string, mark: string): boolean {
  return Date.parse(time) < Date.parse(mark) - OVERLAP_MS;
}

/** @returns the texts, which may have files attached */
async function* discussionRecords(
  run: PartsRun,
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
  for await (const comment of allComments(run, facts.id, comments)) {
    const commentPath = recordPaths.discussionComment(facts.number, comment.databaseId);
    alive.add(commentPath);
    texts.push({ text: comment.body, parent: path });
    yield {
      ...{ type: "record", path: commentPath, kind: "discussion-comment", parent: path },
      title: authorAndDay(comment.author ?? null, comment.createdAt),
      value: await formOf(run, comment),
    };
  }
  if (run.known === null) return texts;
  const folder = path.replace(/discussion\.json$/, "comments/");
  for await (const old of run.order.previous?.list(folder) ?? []) {
    if (!alive.has(old.path)) yield { type: "drop", path: old.path };
  }
  return texts;
}

/** Comments, each followed by its replies; pages that the first answer had no room for are fetched. */
async function* allComments(
  run: PartsRun,
  id: string,
  first: z.output<typeof commentsSchema>,
): AsyncGenerator<Comment & { replyTo?: number }, void> {
  for (let page = first; ; ) {
    for (const { replies, ...comment } of page.nodes) {
      yield comment;
      for await (const reply of allReplies(run, comment.id, replies)) {
        yield { ...reply, replyTo: comment.databaseId };
      }
    }
    if (!page.pageInfo.hasNextPage) return;
    const variables = { id, after: page.pageInfo.endCursor ?? null };
    const question = { document: MORE_COMMENTS, variables, schema: moreCommentsSchema };
    page = (await askGraphql(run.session, { ...question, about: "the comments of a discussion" })).node
      .comments;
  }
}

async function* allReplies(
  run: PartsRun,
  id: string,
  first: z.output<typeof repliesSchema>,
): AsyncGenerator<Comment, void> {
  for (let page = first; ; ) {
    yield* page.nodes;
    if (!page.pageInfo.hasNextPage) return;
    const variables = { id, after: page.pageInfo.endCursor ?? null };
    const question = { document: MORE_REPLIES, variables, schema: moreRepliesSchema };
    page = (await askGraphql(run.session, { ...question, about: "the replies in a discussion" })).node
      .replies;
  }
}

/** A thing of GraphQL's as a record: its own fields, and who reacted as in the other records. */
async function formOf(
  { session }: PartsRun,
  { reactions, ...thing }: { id: string; reactions?: z.output<typeof reactionListSchema> | undefined },
): Promise<{ [key: string]: Json }> {
  const form = thing as { [key: string]: Json };
  if (reactions === undefined) return form;
  const asked = { nodeId: thing.id, path: null };
  const all = groupReactions(reactions) ?? (await readReactions(session, [asked])).get(asked) ?? {};
  return Object.keys(all).length === 0 ? form : { ...form, reactions: all };
}

/** Only when GitHub counts other than what is known, the numbers of all discussions are read. */
async function* dropDeleted(
  run: PartsRun,
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
    for (const { number } of nodes) alive.add(number);
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) break;
  }
  yield* dropMissing(previous, "discussions/", (name) => alive.has(Number(name)) || seen.has(Number(name)));
}
