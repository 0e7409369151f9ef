import { z } from "zod";
import type { Field } from "#connectors/contract/field.ts";
import type { EventTopic, Reaction } from "#connectors/contract/note.ts";
import type { Proposal } from "#connectors/contract/thread-view.ts";
import type { NoteFolder, ThreadFacts } from "#connectors/toolkit/views/thread-folders.ts";
import { listField, timeOf, wordField } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { GIT_VIEW } from "../git-platform.ts";
import {
  type GitlabIssue,
  type GitlabMergeRequest,
  type GitlabNote,
  issueSchema,
  mergeRequestSchema,
  noteSchema,
  resourceEventLists,
  storedEventSchema,
} from "../payloads.ts";

const person = z.object({ username: z.string() }).nullish().catch(null);
const people = z.array(z.object({ username: z.string() })).catch([]);
/** Fields of a record that only the thread view needs. */
const moreSchema = z.object({
  assignees: people,
  reviewers: people,
  merge_user: person,
  merged_by: person,
  draft: z.boolean().nullish().catch(null),
  approved_by: z.array(z.object({ by: person })).catch([]),
  sha: z.string().nullish().catch(null),
  diff_refs: z.object({ start_sha: z.string().nullish() }).nullish().catch(null),
  award_emoji: z.array(z.object({ name: z.string() })).catch([]),
});
const resolvedSchema = z.object({ resolved: z.literal(true), resolved_by: person });

const STATES: Readonly<Record<string, string>> = {
  opened: "Open",
  closed: "Closed",
  merged: "Merged",
  locked: "Being merged",
};
/** Common emoji by GitLab's name. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ thumbsup: "👍", thumbsdown: "👎", smile: "😄", tada: "🎉", confused: "😕", heart: "❤️" },
  ...{ rocket: "🚀", eyes: "👀", white_check_mark: "✅", fire: "🔥" },
};

/** The facts of an issue for the thread view. */
export function issueFacts(value: Json): ThreadFacts {
  const issue = issueSchema.parse(value);
  const more = moreSchema.parse(value);
  return {
    ...sharedFacts(issue, more, "#"),
    fields: [
      ...sharedFields(issue, more),
      ...wordField("Due", issue.due_date),
      ...wordField(
        "Weight",
        issue.weight === null || issue.weight === undefined ? null : String(issue.weight),
      ),
      ...wordField("Confidential", issue.confidential ? "Yes" : null),
    ],
    proposal: null,
    comesBackAs: "It comes back as an issue. A line in its text and in each comment names the author.",
  };
}

/** The facts of a merge request for the thread view, with its branches. */
export function mergeRequestFacts(value: Json): ThreadFacts {
  const request = mergeRequestSchema.parse(value);
  const more = moreSchema.parse(value);
  const shared = sharedFacts(request, more, "!");
  const isDraft = more.draft === true && shared.state?.isOpen === true;
  return {
    ...shared,
    state: isDraft ? { label: "Draft", isOpen: true } : shared.state,
    fields: [
      ...wordField("From branch", request.source_branch),
      ...wordField("Into branch", request.target_branch),
      ...wordField("Merged by", (more.merge_user ?? more.merged_by)?.username),
      ...listField(
        "Approved by",
        more.approved_by.map(({ by }) => by?.username ?? "somebody"),
      ),
      ...listField(
        "Reviewers",
        more.reviewers.map(({ username }) => username),
      ),
      ...sharedFields(request, more),
    ],
    proposal: proposalOf(request, more),
    comesBackAs: requestAgain(request),
  };
}

/** GitLab keeps the commits of a merge request under `refs/merge-requests`, also when its branch is gone. */
function proposalOf(
  { target_branch, merge_commit_sha, state }: GitlabMergeRequest,
  { sha, diff_refs }: More,
): Proposal | null {
  if (!sha) return null;
  const mergedAs = state === "merged" ? (merge_commit_sha ?? null) : null;
  const base = diff_refs?.start_sha ?? null;
  return { tree: GIT_VIEW, head: sha, base, into: `refs/heads/${target_branch}`, mergedAs };
}

/** GitLab creates merge requests only between two branches of the project, and none that are merged. */
function requestAgain({ state, source_project_id, target_project_id }: GitlabMergeRequest): string {
  const isFork =
    source_project_id != null && target_project_id != null && source_project_id !== target_project_id;
  if (state === "merged")
    return "GitLab cannot create a merged merge request. It comes back as a closed issue; its commits come back with the branch.";
  if (isFork) return "Its branch is in another project. It comes back as an issue that says so.";
  return "It comes back as a merge request, with its comments, if both its branches do.";
}

/** Comments, and the events that GitLab keeps in the same list. */
export const NOTES: NoteFolder = {
  folder: "notes/",
  role: "note",
  read({ path, value }) {
    const note = noteSchema.parse(value);
    return {
      path,
      type: note.system ? "event" : "comment",
      author: note.author?.username ?? null,
      at: timeOf(note.created_at),
      editedAt: null,
      text: note.body,
      about: note.system ? null : aboutOf(note),
      answers: null,
      reactions: [],
      files: [],
      topic: note.system ? topicOf(note.body) : undefined,
    };
  },
};

/** Changes of labels, milestones and states. In each folder they are in the order of time, which the view relies on. */
export const EVENTS: readonly NoteFolder[] = Object.keys(resourceEventLists).map(
  (list): NoteFolder => ({
    folder: `resource-events/${list}/`,
    role: "event",
    read({ path, value }) {
      const event = storedEventSchema.parse(value);
      const { text, topic } = changeOf(event);
      return {
        ...{ path, type: "event", author: event.author?.username ?? null, at: timeOf(event.created_at) },
        ...{ editedAt: null, text, about: null, answers: null, reactions: [], files: [], topic },
      };
    },
  }),
);

const STATE_CHANGES: Readonly<Record<string, string>> = {
  ...{ opened: "opened this", closed: "closed this", reopened: "opened this again" },
  ...{ merged: "merged this", locked: "locked this" },
};

/** A change as a sentence whose subject is the author. */
function changeOf({ action, label, milestone, state }: z.output<typeof storedEventSchema>): {
  text: string;
  topic: EventTopic;
} {
  if (state) {
    const topic = state === "merged" ? "merge" : "state";
    return { text: STATE_CHANGES[state] ?? `changed the state to ${state}`, topic };
  }
  const isAdded = action === "add";
  if (milestone === undefined) {
    const name = label?.name ?? "that is gone";
    return { text: isAdded ? `added the label ${name}` : `removed the label ${name}`, topic: "label" };
  }
  const title = milestone?.title ?? "that is gone";
  const text = isAdded ? `added this to the milestone ${title}` : `removed this from the milestone ${title}`;
  return { text, topic: "date" };
}

/** The first words that match tell what an event is about: GitLab's system notes are sentences, without a type. */
const TOPICS: readonly [RegExp, EventTopic][] = [
  [/\blabels?\b/i, "label"],
  [/\bmilestone\b|\bdue date\b/i, "date"],
  [/\bassign|\breview (?:from|request)|\brequested review/i, "person"],
  [/^merged\b/i, "merge"],
  [/^(?:closed|reopened|approved|unapproved|locked|unlocked|marked)\b/i, "state"],
  [/\b(?:title|description)\b/i, "text"],
  [/\b(?:commits?|branch)\b/i, "branch"],
  [/\b(?:mentioned|related|linked)\b/i, "link"],
  [/^moved\b/i, "move"],
];

function topicOf(sentence: string): EventTopic | undefined {
  return TOPICS.find(([words]) => words.test(sentence))?.[1];
}

type Shared = GitlabIssue | GitlabMergeRequest;
type More = z.output<typeof moreSchema>;

function sharedFacts(
  { iid, title, description, state, created_at, updated_at, author, labels, web_url }: Shared,
  { award_emoji }: More,
  sign: string,
): Omit<ThreadFacts, "fields" | "proposal" | "comesBackAs"> {
  return {
    key: `${sign}${iid}`,
    title,
    state: { label: STATES[state] ?? state, isOpen: state === "opened" || state === "locked" },
    author: author?.username ?? null,
    at: timeOf(created_at),
    editedAt: timeOf(updated_at),
    tags: labels.map((name) => ({ name, hue: null, shade: "normal" })),
    url: web_url ?? null,
    text: description ?? "",
    reactions: reactionsOf(award_emoji),
    files: [],
  };
}

function sharedFields({ milestone, discussion_locked }: Shared, { assignees }: More): Field[] {
  return [
    ...listField(
      "Assignees",
      assignees.map(({ username }) => username),
    ),
    ...wordField("Milestone", milestone?.title),
    ...wordField("Locked", discussion_locked ? "Yes" : null),
  ];
}

function reactionsOf(awards: readonly { name: string }[]): Reaction[] {
  const counts = new Map<string, number>();
  for (const { name } of awards) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ sign: SIGNS[name] ?? `:${name}:`, count }));
}

function aboutOf(note: GitlabNote): string | null {
  const file = note.position?.new_path ?? note.position?.old_path;
  const line = note.position?.new_line ?? note.position?.old_line;
  const resolved = resolvedSchema.safeParse(note);
  const by = resolved.data?.resolved_by?.username;
  const about = [
    file ? (typeof line === "number" ? `${file}, line ${line}` : file) : null,
    note.internal === true || note.confidential === true ? "Internal note" : null,
    resolved.success ? (by ? `Resolved by ${by}` : "Resolved") : null,
  ].filter((text) => text !== null);
  return about.length === 0 ? null : about.join("; ");
}
