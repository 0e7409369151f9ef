import { z } from "zod";
import type { ConnectorError } from "#connectors/contract/connector-error.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { paths } from "../client.ts";
import { askNodes, nodesOf } from "../graphql.ts";
import { type GithubPull, type GithubReview, reviewSchema } from "../record-form.ts";
import { groupReactions, type Reactions, reactionListSchema, readReactions } from "./read-reactions.ts";
import { openRepository, readNotes } from "./repository-run.ts";

/** Facts that the list of pull requests omits. */
export type PullFacts = {
  /** `merged_by` in REST's form; empty when not merged or when the account was deleted. */
  mergedBy: { [key: string]: Json };
  reactions: Reactions;
  reviews: GithubReview[];
  /** Reactions to the reviews, by review id. */
  reviewReactions: ReadonlyMap<GithubReview["id"], Reactions>;
};

const QUERY = `query PullFacts($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on PullRequest {
      number
      mergedBy { login }
      reactions(first: 100) {
        nodes { content user { login } }
        pageInfo { hasNextPage }
      }
      reviews(first: 100) {
        nodes {
          id
          fullDatabaseId
          author { login }
          body
          state
          submittedAt
          commit { oid }
          url
          reactionGroups { createdAt }
        }
        pageInfo { hasNextPage }
      }
    }
  }
}`;
const person = z.object({ login: z.string() }).nullish();
const reviewNode = z.object({
  id: z.string(),
  fullDatabaseId: z.union([z.int(), z.string().regex(/^\d+$/)]).transform(Number),
  author: person,
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
  mergedBy: person,
  reactions: reactionListSchema,
  reviews: z.object({ nodes: nodesOf(reviewNode), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
});
const schema = pullNode.partial();
type PullNode = z.output<typeof schema>;
const mergedSchema = z.object({ merged_by: person });

/**
 * Reads reviews, reactions and who merged, for a page of pull requests in one query. REST would need three requests per
 * pull request. It is used where GraphQL is inaccessible, fails or returns only the first page.
 *
 * @returns the facts by pull request number, and the error that kept the reactions to some reviews from being read:
 *   REST does not return them. null = all were read
 */
export async function readPullFacts(
  run: StagesRun,
  pulls: readonly GithubPull[],
): Promise<{ facts: Map<number, PullFacts>; untold: ConnectorError | null }> {
  const ids = pulls.flatMap(({ node_id }) => (node_id === undefined ? [] : [node_id]));
  const question = { document: QUERY, node: schema, about: "the reviews" };
  const { nodes, unanswered } = await askNodes(run.session, question, ids);
  const reviewReactions = await readReviewReactions(run, nodes.values());
  const facts = new Map<number, PullFacts>();
  let untold: ConnectorError | null = null;
  for (const pull of pulls) {
    const node = nodes.get(pull.node_id ?? "");
    const reviews =
      node?.reviews === undefined || node.reviews.pageInfo.hasNextPage
        ? await listReviews(run, pull.number)
        : node.reviews.nodes.map(asRest);
    if (node === undefined && reviews.length > 0) untold = unanswered;
    facts.set(pull.number, {
      mergedBy: await mergedBy(run, pull, node),
      reactions: await reactionsOf(run, pull, node),
      reviews,
      reviewReactions,
    });
  }
  return { facts, untold };
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
