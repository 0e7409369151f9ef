import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { dropMissing, nameBelow } from "#connectors/toolkit/records/drop-missing.ts";
import { type NumberSet, numberSet, numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { askForFewer, openSizes } from "#connectors/toolkit/records/shrink.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { ACTOR, actorSchema, askGraphql, countedNodesOf, nodesOf, pageInfo } from "../graphql.ts";
import { authorAndDay } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { type AttachedText, backUpAttachments } from "./back-up-attachments.ts";
import { type Reactions, readReactions } from "./read-reactions.ts";
import { feedOf, itemsProgress, openRepository, reportHidden, reportSwitchedOff } from "./repository-run.ts";

/**
 * Without a time in any group, nobody has reacted. A list costs no points; a connection of reactions in each reply would
 * cost 89 points for twenty discussions instead of four. Who reacted is read for those that have reactions.
 */
const REACTIONS = "reactionGroups { createdAt }";
const COMMENT = `id databaseId author ${ACTOR} body createdAt updatedAt url isAnswer isMinimized minimizedReason ${REACTIONS}`;
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
        author ${ACTOR}
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

const reactionGroupsSchema = nodesOf(z.object({ createdAt: z.string().nullish() })).nullish();
const commentSchema = z.looseObject({
  id: z.string(),
  databaseId: z.int(),
  body: z.string().nullish(),
  author: actorSchema,
  createdAt: z.string(),
  isMinimized: z.boolean().nullish(),
  minimizedReason: z.string().nullish(),
  reactionGroups: reactionGroupsSchema,
});
const repliesSchema = z.object({ nodes: countedNodesOf(commentSchema), pageInfo });
const threadSchema = commentSchema.extend({ replies: repliesSchema });
const commentsSchema = z.object({ nodes: countedNodesOf(threadSchema), pageInfo });
const discussionSchema = z.looseObject({
  id: z.string(),
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  author: actorSchema,
  updatedAt: z.string(),
  labels: z.object({ nodes: nodesOf(z.object({ name: z.string() })) }).nullish(),
  answer: z.object({ databaseId: z.int() }).nullish(),
  reactionGroups: reactionGroupsSchema,
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
  rests: { prefixes: ["discussions/"], feed: feedOf("discussions") },
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
      const reactions: KnownReactions = new Map();
      await addReactions(run, reactions, nodes.shown.flatMap(thingsOf));
      for (const discussion of nodes.shown) {
        texts.push(...(yield* discussionRecords(run, discussion, reactions)));
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
  reactions: KnownReactions,
): AsyncGenerator<BackupEvent, AttachedText[]> {
  const path = recordPaths.discussion(facts.number);
  const value = {
    ...formOf(facts, reactions),
    labels: (labels?.nodes ?? []).map((label) => label.name).sort(),
    answer: answer?.databaseId ?? null,
  };
  yield { type: "record", path, kind: "discussion", title: `#${facts.number} ${facts.title}`, value };
  const alive = new Set<string>();
  const texts: AttachedText[] = [{ text: facts.body, parent: path }];
  let hidden = 0;
  for await (const comment of allComments(run, { id: facts.id, first: comments, reactions })) {
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
      value: formOf(comment, reactions),
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
  { id, first, reactions }: { id: string; first: z.output<typeof commentsSchema>; reactions: KnownReactions },
): AsyncGenerator<(Comment & { replyTo?: number }) | null, void> {
  const sizes = openSizes();
  for (let page = first; ; ) {
    for (const { replies, ...comment } of page.nodes.shown) {
      yield comment;
      for await (const reply of allReplies(run, { id: comment.id, first: replies, reactions })) {
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
    await addReactions(run, reactions, commentsIn(page));
  }
}

async function* allReplies(
  run: StagesRun,
  { id, first, reactions }: { id: string; first: z.output<typeof repliesSchema>; reactions: KnownReactions },
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
    await addReactions(run, reactions, page.nodes.shown);
  }
}

function nulls(count: number): null[] {
  return Array.from({ length: count }, () => null);
}

/** Reactions to discussions and comments, by their ids. */
type KnownReactions = Map<string, Reactions>;
type Reactable = Pick<Comment, "id" | "reactionGroups" | "isMinimized" | "minimizedReason">;

/** A discussion and the comments that came with it. */
function thingsOf(discussion: Discussion): Reactable[] {
  return [discussion, ...commentsIn(discussion.comments)];
}

function commentsIn({ nodes }: z.output<typeof commentsSchema>): Reactable[] {
  return nodes.shown.flatMap((comment) => [comment, ...comment.replies.nodes.shown]);
}

/** Reads who reacted to those things that have reactions. */
async function addReactions(
  { session }: StagesRun,
  reactions: KnownReactions,
  things: readonly Reactable[],
): Promise<void> {
  const reacted = things.filter(({ reactionGroups }) => reactionGroups?.some(({ createdAt }) => createdAt));
  const asked = reacted.map(({ id }) => ({ nodeId: id, path: null }));
  for (const [{ nodeId }, found] of await readReactions(session, asked)) reactions.set(nodeId ?? "", found);
}

/**
 * Converts a GraphQL object to a record: its own fields, and its reactions and why it is hidden in the form of REST's
 * records.
 */
function formOf(
  { reactionGroups: _, isMinimized, minimizedReason, ...thing }: Reactable,
  reactions: KnownReactions,
): { [key: string]: Json } {
  const hidden: { [key: string]: Json } = isMinimized
    ? { minimized: { reason: minimizedReason ?? null } }
    : {};
  const form = { ...(thing as { [key: string]: Json }), ...hidden };
  const own = reactions.get(thing.id) ?? {};
  return Object.keys(own).length === 0 ? form : { ...form, reactions: own };
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
