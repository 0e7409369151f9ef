import { z } from "zod";
import { pickJson, tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

/**
 * Converts a GitHub object to a record: GitHub's JSON without API URLs, and without fields that change although nobody
 * changed the object (counters, the author's association, the whole repository inside a pull request). Equal content
 * then gives equal bytes.
 */
export function recordForm(value: Json): Json {
  return tidyJson(value, ruleOf);
}

/** Fields that only the answer about one issue has; GitHub's recorded lists lack them. */
const SINGLE_ISSUE = ["closed_by"];
/** Fields of GitHub's schema `pull-request` that `pull-request-simple`, the schema of lists, lacks. */
const SINGLE_PULL = [
  ...["merged", "mergeable", "rebaseable", "mergeable_state", "merged_by", "comments", "review_comments"],
  ...["maintainer_can_modify", "commits", "additions", "deletions", "changed_files"],
];

/** An issue as lists have it, so that its record does not depend on how it was read. */
export function issueAsListed<T extends object>(issue: T): T {
  return without(issue, SINGLE_ISSUE);
}

/** A pull request as lists have it. Who merged it is read by itself. */
export function pullAsListed<T extends object>(pull: T): T {
  return without(pull, SINGLE_PULL);
}

function without<T extends object>(thing: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(thing).filter(([name]) => !names.includes(name))) as T;
}

const PERSON = ["login", "id", "node_id", "type"] as const;
const REPOSITORY = ["id", "node_id", "name", "full_name", "private"] as const;
const KEPT_ADDRESSES = new Set(["html_url", "parent_issue_url", "environment_url", "target_url"]);
const VOLATILE = new Set([
  "_links",
  "author_association",
  "download_count",
  "closed_issues",
  "issue_dependencies_summary",
  "mentions_count",
  "mergeable",
  "mergeable_state",
  "open_issues",
  "reactions",
  "rebaseable",
  "score",
  "sub_issues_summary",
  "url",
]);

function ruleOf(key: string, value: Json): Json | undefined {
  if (VOLATILE.has(key) || (key.endsWith("_url") && !KEPT_ADDRESSES.has(key))) return undefined;
  if (key === "labels" && Array.isArray(value)) return value.map(shortLabel);
  if (key === "milestone" && isObject(value)) return pickJson(value, ["id", "number", "title"]);
  if ((key === "repo" || key === "repository") && isObject(value)) return pickJson(value, REPOSITORY);
  if (key === "performed_via_github_app" && isObject(value)) return pickJson(value, ["id", "slug", "name"]);
  if (isPerson(value)) return pickJson(value, PERSON);
  if (Array.isArray(value) && value.length > 0 && value.every(isPerson)) {
    return value.map((person) => pickJson(person, PERSON));
  }
  return value;
}

/** A label's colour can change without a change to the issue. The label's own record has it. */
function shortLabel(label: Json): Json {
  return isObject(label) ? pickJson(label, ["id", "name"]) : label;
}

function isPerson(value: Json): boolean {
  return isObject(value) && typeof value.login === "string";
}

function isObject(value: Json): value is { [key: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

const person = z
  .looseObject({ login: z.string() })
  .nullish()
  .transform((user) => user ?? null);
const time = z.string().min(1);
const reactions = z.looseObject({ total_count: z.number() }).optional();
const anId = z.union([z.int(), z.string().min(1)]);

/** Fields that every numbered or commented object has. All other fields are passed through unparsed. */
const base = {
  id: anId,
  node_id: z.string().optional(),
  user: person,
  html_url: z.string().optional(),
  body: z.string().nullish(),
};

export const issueSchema = z.looseObject({
  ...base,
  number: z.int().positive(),
  title: z.string(),
  updated_at: time,
  comments: z.number().optional(),
  reactions,
  issue_dependencies_summary: z.looseObject({ total_blocked_by: z.number() }).nullish().catch(null),
  pull_request: z.unknown().optional(),
});
export type GithubIssue = z.output<typeof issueSchema>;

export const commentSchema = z.looseObject({
  ...base,
  created_at: time,
  updated_at: time,
  issue_url: z.string().optional(),
  pull_request_url: z.string().optional(),
  reactions,
});
export type GithubComment = z.output<typeof commentSchema>;

export const eventSchema = z.looseObject({
  id: anId,
  event: z.string(),
  created_at: z.string().nullish(),
  actor: person,
  issue: z
    .looseObject({ number: z.int().positive(), pull_request: z.unknown().optional() })
    .nullish()
    .transform((issue) => issue ?? null),
});

export const pullSchema = z.looseObject({
  ...base,
  number: z.int().positive(),
  title: z.string(),
  updated_at: time,
  merged_at: time.nullish(),
});
export type GithubPull = z.output<typeof pullSchema>;

export const reviewSchema = z.looseObject({
  ...base,
  state: z.string(),
  submitted_at: z.string().nullish(),
});
export type GithubReview = z.output<typeof reviewSchema>;

export const labelSchema = z.looseObject({ id: anId, name: z.string() });
export const milestoneSchema = z.looseObject({ number: z.int().positive(), title: z.string() });

export const assetSchema = z.looseObject({
  id: anId,
  name: z.string(),
  size: z.number().nonnegative(),
  digest: z.string().nullish(),
  state: z.string().optional(),
  updated_at: z.string().nullish(),
});
export type GithubAsset = z.output<typeof assetSchema>;

export const releaseSchema = z.looseObject({
  id: anId,
  node_id: z.string().optional(),
  name: z.string().nullish(),
  tag_name: z.string(),
  body: z.string().nullish(),
  reactions,
  assets: z.array(assetSchema),
});
export type GithubRelease = z.output<typeof releaseSchema>;

/** The title of a comment or review, e.g. "nora-lindqvist, 2026-03-01". */
export function authorAndDay(user: { login: string } | null, at: string | null | undefined): string {
  const who = user?.login ?? "a deleted account";
  return at ? `${who}, ${at.slice(0, 10)}` : who;
}
