import { z } from "zod";
import type { Feed } from "#connectors/toolkit/records/stage-rests.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { countedNodesOf } from "../graphql.ts";

/** GitHub's largest page. Of a longer list, the feed cannot tell that nothing changed. */
const MOST = 100;

const NEWEST = "first: 1, orderBy: { field: UPDATED_AT, direction: DESC }";

/**
 * What GitHub tells in one query about the records of a repository. GitHub's rule makes it cost one point: up to a hundred
 * lists of files of releases, and half a dozen other lists (docs.github.com, rate limits of the GraphQL API).
 *
 * Lists with an order by time are asked for their latest change: `updatedAt` is "the date and time when the object was
 * last updated" (GitHub's GraphQL schema). Labels have no such order, so the feed is all that a label has. Releases have no
 * such order either, so all are listed. Drafts are among them for who may see them: the list of `gh release list` is this
 * one (github.com/cli/cli, pkg/cmd/release/list).
 */
export const FEED_FIELDS = `
    issues(${NEWEST}) { totalCount nodes { number updatedAt } }
    pullRequests(${NEWEST}) { totalCount nodes { number updatedAt } }
    labels(first: ${MOST}) { totalCount nodes { id name color description isDefault } }
    milestones(${NEWEST}) { totalCount nodes { number updatedAt } }
    releases(first: ${MOST}) {
      totalCount
      nodes {
        id
        tagName
        updatedAt
        releaseAssets(first: ${MOST}) { totalCount nodes { id name size updatedAt } }
      }
    }`;
/** Only for a repository with discussions: an account that may not read them gets no answer at all. */
export const DISCUSSIONS_FIELD = `
    discussions(${NEWEST}) { totalCount nodes { number updatedAt } }`;

const newestSchema = z
  .object({
    totalCount: z.int().nonnegative(),
    nodes: countedNodesOf(z.object({ number: z.int(), updatedAt: z.string() })),
  })
  .nullable();
const listSchema = z
  .object({ totalCount: z.int().nonnegative(), nodes: countedNodesOf(z.looseObject({ id: z.string() })) })
  .nullable();
const releasesSchema = z
  .object({
    totalCount: z.int().nonnegative(),
    nodes: countedNodesOf(z.looseObject({ id: z.string(), releaseAssets: listSchema })),
  })
  .nullable();

/** Schema of these fields. */
export const feedFields = {
  issues: newestSchema,
  pullRequests: newestSchema,
  labels: listSchema,
  milestones: newestSchema,
  releases: releasesSchema,
  discussions: newestSchema.optional(),
};
type Answer = z.output<z.ZodObject<typeof feedFields>>;

export const feedsSchema = z.record(
  z.string(),
  z.object({ value: z.string(), newest: z.string().nullable() }),
);
/** The feeds by name. One that is missing proves nothing. */
export type Feeds = z.output<typeof feedsSchema>;

/** Computes the feeds from GitHub's answer. */
export async function feedsOf(answer: Answer): Promise<Feeds> {
  const { issues, pullRequests, labels, milestones, releases, discussions = null } = answer;
  const found: Record<string, Feed | null> = {
    threads: newestOf([issues, pullRequests]),
    labels: await contentOf(labels),
    milestones: newestOf([milestones]),
    releases: await contentOfReleases(releases),
    discussions: newestOf([discussions]),
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, Feed] => entry[1] !== null),
  );
}

/** The latest change of some lists, and how many members each has: a deletion changes only that. */
function newestOf(lists: readonly z.output<typeof newestSchema>[]): Feed | null {
  const values: string[] = [];
  let newest: string | null = null;
  for (const list of lists) {
    const last = list?.nodes.shown[0];
    if (list === null || list.nodes.hidden > 0 || (list.totalCount > 0 && last === undefined)) return null;
    values.push(`${list.totalCount}${last === undefined ? "" : ` #${last.number} ${last.updatedAt}`}`);
    if (last !== undefined && (newest === null || Date.parse(last.updatedAt) > Date.parse(newest)))
      newest = last.updatedAt;
  }
  return { value: values.join(", "), newest };
}

async function contentOf(list: z.output<typeof listSchema>): Promise<Feed | null> {
  if (list === null || !isWhole(list)) return null;
  const members = [...list.nodes.shown].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { value: await sha256Hex(canonicalJson(members as Json)), newest: null };
}

async function contentOfReleases(list: z.output<typeof releasesSchema>): Promise<Feed | null> {
  if (list === null || !isWhole(list)) return null;
  const releases: { id: string; facts: string }[] = [];
  for (const { releaseAssets, ...release } of list.nodes.shown) {
    const files = await contentOf(releaseAssets);
    if (files === null) return null;
    releases.push({ id: release.id, facts: canonicalJson({ ...release, files: files.value } as Json) });
  }
  return contentOf({ totalCount: releases.length, nodes: { shown: releases, hidden: 0 } });
}

function isWhole({ totalCount, nodes }: { totalCount: number; nodes: { shown: readonly unknown[] } }) {
  return nodes.shown.length === totalCount;
}
