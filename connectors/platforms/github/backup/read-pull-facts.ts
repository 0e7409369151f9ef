import { z } from "zod";
import type { ConnectorError } from "#connectors/contract/connector-error.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { paths } from "../client.ts";
import { ACTOR, actorSchema, askNodes, nodesOf } from "../graphql.ts";
import { type GithubPull, type GithubReview, reviewSchema } from "../record-form.ts";
import { groupReactions, type Reactions, reactionListSchema, readReactions } from "./read-reactions.ts";
import { openRepository, readNotes } from "./repository-run.ts";

/** Facts that the list of pull requests omits. */
export type PullFacts = {
  /** `merged_by` in REST's form; empty when not merged or when the account was deleted. */
  mergedBy: { [key: string]: Json };
  reactions: Reactions;
  reviews: GithubReview[];
  /** Conversations on lines that are resolved, by their first comments. */
  resolved: ResolvedThread[];
  /** Reactions to the reviews, by review id. */
  reviewReactions: ReadonlyMap<GithubReview["id"], Reactions>;
};

/** A resolved conversation: its first comment, and who resolved it; null = the account was deleted. */
type ResolvedThread = { comment_id: number; resolved_by: { login: string } | null };

const QUERY = `query PullFacts($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on PullRequest {
      number
      mergedBy ${ACTOR}
      reactions(first: 100) {
        nodes { content user { login } }
        pageInfo { hasNextPage }
      }
      reviews(first: 100) {
        nodes {
          id
          fullDatabaseId
          author ${ACTOR}
          body
          state
          submittedAt
          commit { oid }
          url
          reactionGroups { createdAt }
        }
        pageInfo { hasNextPage }
      }
      reviewThreads(first: 100) { nodes { id isResolved } pageInfo { hasNextPage } }
    }
  }
}`;
/** Only of resolved conversations: a connection of comments in each one would cost a point for each hundred. */
const THREADS = `query ResolvedThreads($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on PullRequestReviewThread {
      resolvedBy ${ACTOR}
      comments(first: 1) { nodes { fullDatabaseId } }
    }
  }
}`;
const databaseId = z.union([z.int(), z.string().regex(/^\d+$/)]).transform(Number);
const reviewNode = z.object({
  id: z.string(),
  fullDatabaseId: databaseId,
  author: actorSchema,
  body: z.string(),
  state: z.string(),
  submittedAt: z.string().nullish(),
  commit: z.object({ oid: z.string() }).nullish(),
  url: z.string(),
  // Without a time, nobody has reacted. A list costs no points; a connection would multiply the cost by a hundred.
  reactionGroups: nodesOf(z.object({ createdAt: z.string().nullish() })).nullish(),
});
const pullNode = z.object({
  number: z.int(),
  mergedBy: actorSchema,
  reactions: reactionListSchema,
  reviews: z.object({ nodes: nodesOf(reviewNode), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
  reviewThreads: z.object({
    nodes: nodesOf(z.object({ id: z.string(), isResolved: z.boolean() })),
    pageInfo: z.object({ hasNextPage: z.boolean() }),
  }),
});
const threadNode = z
  .object({
    resolvedBy: actorSchema,
    comments: z.object({ nodes: nodesOf(z.object({ fullDatabaseId: databaseId })) }),
  })
  .partial();
const schema = pullNode.partial();
type PullNode = z.output<typeof schema>;
const mergedSchema = z.object({ merged_by: z.object({ login: z.string() }).nullish() });

/**
 * Reads reviews, reactions and who merged, for a page of pull requests in one query. REST would need three requests per
 * pull request. It is used where GraphQL is inaccessible, fails or returns only the first page.
 *
 * @returns the facts by pull request number; the error that kept the reactions to some reviews and the resolved
 *   conversations from being read, because REST does not return them (null = all were read); and the numbers of pull
 *   requests with more than a hundred conversations, of which the rest was not read
 */
export async function readPullFacts(
  run: StagesRun,
  pulls: readonly GithubPull[],
): Promise<{ facts: Map<number, PullFacts>; untold: ConnectorError | null; long: number[] }> {
  const ids = pulls.flatMap(({ node_id }) => (node_id === undefined ? [] : [node_id]));
  const question = { document: QUERY, node: schema, about: "the reviews" };
  const { nodes, unanswered } = await askNodes(run.session, question, ids);
  const reviewReactions = await readReviewReactions(run, nodes.values());
  const resolved = await readResolved(run, nodes.values());
  const facts = new Map<number, PullFacts>();
  const long: number[] = [];
  let untold: ConnectorError | null = null;
  for (const pull of pulls) {
    const node = nodes.get(pull.node_id ?? "");
    const reviews =
      node?.reviews === undefined || node.reviews.pageInfo.hasNextPage
        ? await listReviews(run, pull.number)
        : node.reviews.nodes.map(asRest);
    if (node === undefined && reviews.length > 0) untold = unanswered;
    if (node?.reviewThreads?.pageInfo.hasNextPage) long.push(pull.number);
    facts.set(pull.number, {
      mergedBy: await mergedBy(run, pull, node),
      reactions: await reactionsOf(run, pull, node),
      reviews,
      resolved: (node?.reviewThreads?.nodes ?? []).flatMap(({ id }) => resolved.get(id) ?? []),
      reviewReactions,
    });
  }
  return { facts, untold, long };
}

/** Reads who merged a pull request, in REST's form. Only the single pull request includes it, not the list. */
async function mergedBy(
  run: StagesRun,
  { number, merged_at }: GithubPull,
  node: PullNode | undefined,
): Promise<PullFacts["mergedBy"]> {
  if (!merged_at) return {};
  let person = node?.mergedBy;
  if (node?.mergedBy === undefined) {
    const { client, getOne } = openRepository(run);
    const call = getOne(`/pulls/${number}`, `pull request #${number}`);
    person = (await client.request(call, mergedSchema)).merged_by;
  }
  return person ? { merged_by: { login: person.login } } : {};
}

async function reactionsOf(run: StagesRun, pull: GithubPull, node: PullNode | undefined): Promise<Reactions> {
  const known = node?.reactions && groupReactions(node.reactions);
  if (known) return known;
  return readNotes(run).reactedPulls.has(pull.number) ? await listReactions(run, pull) : {};
}

/** Reads reactions to reviews, in one query per hundred reviews that have any. REST does not return them. */
async function readReviewReactions(
  run: StagesRun,
  pulls: Iterable<PullNode>,
): Promise<Map<GithubReview["id"], Reactions>> {
  const reacted = [...pulls].flatMap(({ reviews }) =>
    (reviews?.nodes ?? []).filter(({ reactionGroups }) => reactionGroups?.some(({ createdAt }) => createdAt)),
  );
  const things = reacted.map(({ id }) => ({ nodeId: id, path: null }));
  const known = await readReactions(run.session, things);
  return new Map(reacted.map(({ fullDatabaseId }, at) => [fullDatabaseId, known.get(things[at]!) ?? {}]));
}

/** Reads the resolved conversations by their ids, a hundred per query. */
async function readResolved(run: StagesRun, pulls: Iterable<PullNode>): Promise<Map<string, ResolvedThread>> {
  const ids = [...pulls].flatMap(({ reviewThreads }) =>
    (reviewThreads?.nodes ?? []).filter(({ isResolved }) => isResolved).map(({ id }) => id),
  );
  const question = { document: THREADS, node: threadNode, about: "the resolved conversations" };
  const { nodes } = await askNodes(run.session, question, ids);
  const resolved = new Map<string, ResolvedThread>();
  for (const [id, { comments, resolvedBy }] of nodes) {
    const [first] = comments?.nodes ?? [];
    if (first) resolved.set(id, { comment_id: first.fullDatabaseId, resolved_by: resolvedBy ?? null });
  }
  return resolved;
}

/** Converts a review to REST's form. */
function asRest({
  id,
  fullDatabaseId,
  author,
  submittedAt,
  commit,
  url,
  body,
  state,
}: z.output<typeof reviewNode>): GithubReview {
  return {
    id: fullDatabaseId,
    node_id: id,
    user: author ? { login: author.login } : null,
    body,
    state,
    submitted_at: submittedAt ?? null,
    commit_id: commit?.oid ?? null,
    html_url: url,
  };
}

/** Reads reviews from REST, reduced to the fields of the query, so that both sources give equal bytes. */
async function listReviews(run: StagesRun, number: number): Promise<GithubReview[]> {
  const { client, get } = openRepository(run);
  const call = get(`/pulls/${number}/reviews`, `the reviews of #${number}`);
  const reviews: GithubReview[] = [];
  for await (const { members } of readPages(client, call, z.array(reviewSchema))) {
    for (const { id, node_id, user, body, state, submitted_at, commit_id, html_url } of members) {
      reviews.push({
        ...{ id, node_id, user: user && { login: user.login }, body, state, html_url },
        ...{ submitted_at: submitted_at ?? null, commit_id: commit_id ?? null },
      });
    }
  }
  return reviews;
}

async function listReactions(run: StagesRun, { number }: GithubPull): Promise<Reactions> {
  const path = `${paths.repositoryByName(run.order.item.fullName)}/issues/${number}/reactions`;
  const thing = { nodeId: undefined, path };
  return (await readReactions(run.session, [thing])).get(thing) ?? {};
}
