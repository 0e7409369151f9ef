import { z } from "zod";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { isOutOfReach, type PartsRun } from "#connectors/toolkit/records/run-parts.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { paths } from "./client.ts";
import { askGraphql } from "./graphql.ts";
import { groupReactions, type Reactions, reactionListSchema, readReactions } from "./read-reactions.ts";
import { type GithubPull, type GithubReview, reviewSchema } from "./record-form.ts";
import { openRepository, readNotes } from "./repository-run.ts";

/** What the list of pull requests leaves out. */
export type PullFacts = {
  /** `merged_by`, in REST's form, when somebody merged it. */
  mergedBy: { [key: string]: Json };
  reactions: Reactions;
  reviews: GithubReview[];
  /** Who reacted to the reviews, by the review's id. */
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
  // Without a time nobody has felt so. As a list it costs no points, where another connection would cost a hundredfold.
  reactionGroups: z.array(z.object({ createdAt: z.string().nullish() })).nullish(),
});
const pullNode = z.object({
  number: z.int(),
  mergedBy: person,
  reactions: reactionListSchema,
  reviews: z.object({ nodes: z.array(reviewNode), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
});
const schema = z.object({ nodes: z.array(pullNode.partial().nullable()) });

/**
 * Reviews, reactions and who merged, for a page of pull requests in one question. REST would take two for each pull
 * request; it is asked where GraphQL is out of reach or has only the beginning.
 */
export async function readPullFacts(
  run: PartsRun,
  pulls: readonly GithubPull[],
): Promise<Map<number, PullFacts>> {
  const told = await askMany(run, pulls);
  const { reactedPulls: reacted } = readNotes(run);
  const reviewReactions = await readReviewReactions(run, told.values());
  const facts = new Map<number, PullFacts>();
  for (const pull of pulls) {
    const node = told.get(pull.number);
    const reviews =
      node?.reviews === undefined || node.reviews.pageInfo.hasNextPage
        ? await listReviews(run, pull.number)
        : node.reviews.nodes.map(asRest);
    const reactions = node?.reactions && groupReactions(node.reactions);
    facts.set(pull.number, {
      mergedBy: node?.mergedBy ? { merged_by: { login: node.mergedBy.login } } : {},
      reactions: reactions ?? (reacted.has(pull.number) ? await listReactions(run, pull) : {}),
      reviews,
      reviewReactions,
    });
  }
  return facts;
}

async function askMany(run: PartsRun, pulls: readonly GithubPull[]) {
  const ids = pulls.flatMap(({ node_id }) => (node_id === undefined ? [] : [node_id]));
  const told = new Map<number, Partial<z.output<typeof pullNode>>>();
  if (ids.length === 0) return told;
  try {
    const question = { document: QUERY, variables: { ids }, schema, about: "the reviews" };
    const { nodes } = await askGraphql(run.session, question);
    for (const node of nodes) if (node?.number !== undefined) told.set(node.number, node);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
  }
  return told;
}

/** Who reacted to reviews: one question for a hundred of those that somebody reacted to. REST does not tell it at all. */
async function readReviewReactions(
  run: PartsRun,
  pulls: Iterable<Partial<z.output<typeof pullNode>>>,
): Promise<Map<GithubReview["id"], Reactions>> {
  const reacted = [...pulls].flatMap(({ reviews }) =>
    (reviews?.nodes ?? []).filter(({ reactionGroups }) => reactionGroups?.some(({ createdAt }) => createdAt)),
  );
  const things = reacted.map(({ id }) => ({ nodeId: id, path: null }));
  const known = await readReactions(run.session, things);
  return new Map(reacted.map(({ fullDatabaseId }, at) => [fullDatabaseId, known.get(things[at]!) ?? {}]));
}

/** A review in the form that REST gives it. */
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

/** REST's own form, reduced to what the question tells, so that both ways give equal bytes. */
async function listReviews(run: PartsRun, number: number): Promise<GithubReview[]> {
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

async function listReactions(run: PartsRun, { number }: GithubPull): Promise<Reactions> {
  const path = `${paths.repositoryByName(run.order.item.fullName)}/issues/${number}/reactions`;
  const thing = { nodeId: undefined, path };
  return (await readReactions(run.session, [thing])).get(thing) ?? {};
}
