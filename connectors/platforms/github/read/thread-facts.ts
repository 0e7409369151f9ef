import { z } from "zod";
import type { Field, Tag } from "#connectors/contract/field.ts";
import type { Proposal } from "#connectors/contract/thread-view.ts";
import { PLAIN_THREAD, type ThreadFacts } from "#connectors/toolkit/views/thread-folders.ts";
import { listField, timeOf, wordField } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { GIT_VIEW } from "../git-platform.ts";
import { reactionsOf } from "../restore/reaction-facts.ts";
import { discussionSchema, issueSchema, pullSchema, releaseSchema } from "../restore/restored-records.ts";

const text = z.string().nullish().catch(null);
const titled = z.object({ title: z.string() }).nullish().catch(null);
const issueRecord = issueSchema.extend({ updated_at: text, milestone: titled });
const pullRecord = pullSchema.extend({ updated_at: text, milestone: titled, merge_commit_sha: text });
type PullRecord = z.output<typeof pullRecord>;
const discussionRecord = discussionSchema.extend({
  updatedAt: text,
  closed: z.boolean().nullish().catch(null),
  answer: z.int().nullish().catch(null),
  labels: z.array(z.string()).catch([]),
});

/** The facts of an issue for the thread view. */
export function issueFacts(value: Json): ThreadFacts {
  const record = issueRecord.parse(value);
  return {
    ...sharedFacts(record),
    state: issueState(record),
    fields: [...sharedFields(record), ...relationFields(record)],
    proposal: null,
    comesBackAs: "It comes back as an issue. Its text and each comment begin with their author and date.",
  };
}

/** The facts of a pull request for the thread view, with its branches. */
export function pullFacts(value: Json): ThreadFacts {
  const record = pullRecord.parse(value);
  const { head, base, merged_by } = record;
  return {
    ...sharedFacts(record),
    state: pullState(record),
    fields: [
      ...wordField("From branch", head && (head.repo === null ? head.ref : `${head.repo}: ${head.ref}`)),
      ...wordField("Into branch", base?.ref ?? null),
      ...wordField("Merged by", merged_by),
      ...sharedFields(record),
    ],
    proposal: proposalOf(record),
    comesBackAs: pullAgain(record),
  };
}

/** The commits of a pull request. GitHub keeps them under `refs/pull`, also when its branch is gone. */
function proposalOf({ head, base, merge_commit_sha, merged_at }: PullRecord): Proposal | null {
  if (!head?.sha || !base) return null;
  const mergedAs = merged_at === null ? null : (merge_commit_sha ?? null);
  return { tree: GIT_VIEW, head: head.sha, base: base.sha, into: `refs/heads/${base.ref}`, mergedAs };
}

/** GitHub creates pull requests only between two branches of the repository that differ. */
function pullAgain({ number, merged_at, state, head, base }: PullRecord): string {
  const isFork = head?.repo !== base?.repo;
  if (merged_at === null && state === "open" && !isFork)
    return "It comes back as a pull request, with its comments, if both its branches do.";
  const what = merged_at !== null ? "merged pull request" : isFork ? "pull request of a fork" : "closed one";
  return `GitHub cannot create a ${what}. It comes back as an issue that says so; its commits can come back as the branch pr/${number}.`;
}

/** The facts of a discussion for the thread view. */
export function discussionFacts(value: Json): ThreadFacts {
  const record = discussionRecord.parse(value);
  const { number, title, body, author, createdAt, updatedAt, url, reactions, closed, answer } = record;
  const isOpen = closed !== true;
  const isAnswered = answer !== null && answer !== undefined;
  return {
    key: `#${number}`,
    title,
    state: { label: isOpen ? (isAnswered ? "Answered" : "Open") : "Closed", isOpen },
    author,
    at: timeOf(createdAt),
    editedAt: timeOf(updatedAt),
    tags: record.labels.map(tagOf),
    url,
    text: body ?? "",
    reactions: reactionsOf(reactions),
    fields: wordField("Category", record.category),
    files: [],
    proposal: null,
    comesBackAs: "It comes back as an issue that says so.",
  };
}

/** The facts of a release for the thread view. */
export function releaseFacts(value: Json): ThreadFacts {
  const record = releaseSchema.parse(value);
  const { tag_name, name, body, draft, prerelease, author, created_at, published_at } = record;
  const label = draft ? "Draft" : prerelease ? "Pre-release" : null;
  return {
    key: tag_name,
    title: name || tag_name,
    state: label === null ? null : { label, isOpen: true },
    author,
    at: timeOf(published_at ?? created_at),
    editedAt: null,
    tags: [],
    url: record.html_url,
    text: body ?? "",
    reactions: reactionsOf(record.reactions),
    fields: [],
    files: [],
    ...PLAIN_THREAD,
  };
}

type Shared = Omit<z.output<typeof issueRecord>, "parent_issue_url" | "blocked_by">;

function sharedFacts(record: Shared): Omit<ThreadFacts, "state" | "fields" | "proposal" | "comesBackAs"> {
  const { number, title, body, user, created_at, updated_at, html_url, reactions, labels } = record;
  return {
    key: `#${number}`,
    title,
    author: user,
    at: timeOf(created_at),
    editedAt: timeOf(updated_at),
    tags: labels.map(tagOf),
    url: html_url,
    text: body ?? "",
    reactions: reactionsOf(reactions),
    files: [],
  };
}

function sharedFields({ assignees, milestone, locked }: Shared): Field[] {
  return [
    ...listField("Assignees", assignees),
    ...wordField("Milestone", milestone?.title ?? null),
    ...wordField("Locked", locked ? "Yes" : null),
  ];
}

/** Which issue it is a part of, and which ones block it. */
function relationFields({ parent_issue_url, blocked_by }: z.output<typeof issueRecord>): Field[] {
  const nameOf = (url: string) => `#${url.slice(url.lastIndexOf("/") + 1)}`;
  return [
    ...wordField("Sub-issue of", parent_issue_url && nameOf(parent_issue_url)),
    ...listField(
      "Blocked by",
      blocked_by.map(({ html_url }) => nameOf(html_url)),
    ),
  ];
}

function issueState({ state, state_reason }: Shared): ThreadFacts["state"] {
  if (state === null) return null;
  if (state === "open") return { label: "Open", isOpen: true };
  const reason = state_reason?.replaceAll("_", " ");
  return { label: reason ? `Closed as ${reason}` : "Closed", isOpen: false };
}

function pullState({ state, merged_at, draft }: z.output<typeof pullRecord>): ThreadFacts["state"] {
  if (merged_at !== null) return { label: "Merged", isOpen: false };
  if (state === null) return null;
  if (state === "open") return { label: draft ? "Draft" : "Open", isOpen: true };
  return { label: "Closed", isOpen: false };
}

/** A label's colour is in the label's own record, not in that of the thread. */
function tagOf(name: string): Tag {
  return { name, hue: null, shade: "normal" };
}
