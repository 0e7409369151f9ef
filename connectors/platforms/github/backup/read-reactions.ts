import { z } from "zod";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { githubClient } from "../client.ts";
import { askGraphql, askNodes, nodesOf } from "../graphql.ts";

/** Reactions by GitHub's name, each with its logins in order. */
export type Reactions = { [content: string]: string[] };

/** An object with reactions. `path` lists them in REST; null = REST has no such list. */
export type ReactedThing = { nodeId: string | undefined; path: string | null };

const QUERY = `query Reactions($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Reactable {
      reactions(first: 100) {
        nodes { content user { login } }
        pageInfo { hasNextPage }
      }
    }
  }
}`;
const ONE = `query ReactionsOfOne($id: ID!, $after: String) {
  node(id: $id) {
    ... on Reactable {
      reactions(first: 100, after: $after) {
        nodes { content user { login } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;
const user = z.object({ login: z.string() }).nullish();
/** A list of reactions in GraphQL's form. */
export const reactionListSchema = z.object({
  nodes: nodesOf(z.object({ content: z.string(), user })),
  pageInfo: z.object({ hasNextPage: z.boolean() }),
});
const nodeSchema = z.object({ reactions: reactionListSchema }).partial();
const oneSchema = z.object({
  node: z.object({
    reactions: reactionListSchema.extend({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    }),
  }),
});
/** A list of reactions in REST's form. */
export const restSchema = z.array(
  z.object({ id: z.union([z.int(), z.string()]), content: z.string(), user }),
);

/** REST's reaction names, which the records use, by GraphQL's. */
const REST_WORDS: Readonly<Record<string, string>> = {
  THUMBS_UP: "+1",
  THUMBS_DOWN: "-1",
  LAUGH: "laugh",
  HOORAY: "hooray",
  CONFUSED: "confused",
  HEART: "heart",
  ROCKET: "rocket",
  EYES: "eyes",
};

/**
 * Reads the reactions to each object, a hundred objects per query. An object with more than a hundred reactions is read
 * by itself, and so is every object where GraphQL is inaccessible.
 */
export async function readReactions(
  session: Session,
  things: readonly ReactedThing[],
): Promise<Map<ReactedThing, Reactions>> {
  const found = new Map<ReactedThing, Reactions>();
  const byNode = await askMany(session, things);
  for (const thing of things) {
    const known = byNode.get(thing.nodeId ?? "");
    found.set(thing, known ?? (await askOne(session, thing)));
  }
  return found;
}

async function askMany(session: Session, things: readonly ReactedThing[]): Promise<Map<string, Reactions>> {
  const ids = things.flatMap(({ nodeId }) => (nodeId === undefined ? [] : [nodeId]));
  const { nodes } = await askNodes(
    session,
    { document: QUERY, node: nodeSchema, about: "the reactions" },
    ids,
  );
  const known = new Map<string, Reactions>();
  for (const [id, node] of nodes) {
    const reactions = node.reactions && groupReactions(node.reactions);
    if (reactions) known.set(id, reactions);
  }
  return known;
}

/** Groups a GraphQL list by reaction. Returns null when the list has more pages. */
export function groupReactions(list: z.output<typeof reactionListSchema>): Reactions | null {
  if (list.pageInfo.hasNextPage) return null;
  return group(inRestWords(list.nodes));
}

function inRestWords(nodes: z.output<typeof reactionListSchema>["nodes"]) {
  return nodes.map(({ content, user }) => ({ content: REST_WORDS[content] ?? content, user }));
}

async function askOne(session: Session, { nodeId, path }: ReactedThing): Promise<Reactions> {
  if (path === null) return nodeId === undefined ? {} : await pageThrough(session, nodeId);
  const call = { method: "GET", path, query: { per_page: 100 }, about: "the reactions" } as const;
  const all: z.output<typeof restSchema> = [];
  for await (const { members } of readPages(githubClient(session), call, restSchema)) all.push(...members);
  return group(all);
}

/** Reads an object whose reactions REST does not list, a hundred reactions per query. */
async function pageThrough(session: Session, id: string): Promise<Reactions> {
  const all: ReturnType<typeof inRestWords> = [];
  for (let after: string | null = null; ; ) {
    const question = { document: ONE, variables: { id, after }, schema: oneSchema, about: "the reactions" };
    const answer: z.output<typeof oneSchema> = await askGraphql(session, question);
    const { nodes, pageInfo } = answer.node.reactions;
    all.push(...inRestWords(nodes));
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) return group(all);
  }
}

function group(
  reactions: readonly { content: string; user?: { login: string } | null | undefined }[],
): Reactions {
  const groups: Record<string, Set<string>> = {};
  for (const { content, user } of reactions) {
    groups[content] ??= new Set();
    groups[content].add(user?.login ?? "ghost");
  }
  return Object.fromEntries(Object.entries(groups).map(([content, logins]) => [content, [...logins].sort()]));
}
