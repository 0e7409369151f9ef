import { z } from "zod";
import type { EventTopic } from "#connectors/contract/note.ts";

const named = (key: "login" | "name" | "title") =>
  z
    .object({ [key]: z.string() })
    .transform((value) => value[key] ?? null)
    .nullish()
    .catch(null);
const detailsSchema = z.looseObject({
  label: named("name"),
  assignee: named("login"),
  requested_reviewer: named("login"),
  requested_team: named("name"),
  milestone: named("title"),
  rename: z.object({ from: z.string(), to: z.string() }).nullish().catch(null),
  commit_id: z.string().nullish().catch(null),
  state_reason: z.string().nullish().catch(null),
});
type Details = z.output<typeof detailsSchema>;

/** Events that GitHub's own page omits too, because they do not change the thread. */
const SILENT = new Set(["mentioned", "subscribed", "unsubscribed"]);

const SENTENCES: Readonly<Record<string, (details: Details) => string>> = {
  closed: ({ state_reason }) =>
    state_reason ? `closed this as ${state_reason.replaceAll("_", " ")}` : "closed this",
  reopened: () => "opened this again",
  merged: ({ commit_id }) => `merged this${commitWords(commit_id)}`,
  labeled: ({ label }) => `added the label ${label ?? "that is gone"}`,
  unlabeled: ({ label }) => `removed the label ${label ?? "that is gone"}`,
  assigned: ({ assignee }) => `assigned ${assignee ?? "somebody"}`,
  unassigned: ({ assignee }) => `took the assignment from ${assignee ?? "somebody"}`,
  milestoned: ({ milestone }) => `added this to the milestone ${milestone ?? "that is gone"}`,
  demilestoned: ({ milestone }) => `removed this from the milestone ${milestone ?? "that is gone"}`,
  renamed: ({ rename }) =>
    rename ? `changed the title from ${rename.from} to ${rename.to}` : "changed the title",
  locked: () => "locked the conversation",
  unlocked: () => "unlocked the conversation",
  referenced: ({ commit_id }) => `referred to this${commitWords(commit_id)}`,
  review_requested: (details) => `asked ${reviewerOf(details)} for a review`,
  review_request_removed: (details) => `no longer asked ${reviewerOf(details)} for a review`,
  review_dismissed: () => "dismissed a review",
  convert_to_draft: () => "made this a draft",
  ready_for_review: () => "marked this as ready for review",
  head_ref_deleted: () => "deleted the branch",
  head_ref_restored: () => "restored the branch",
  head_ref_force_pushed: () => "replaced the commits of the branch",
  pinned: () => "pinned this",
  unpinned: () => "unpinned this",
  transferred: () => "moved this here from another repository",
};

/** An event as a sentence whose subject is the author; null = not shown. */
export function eventSentence(event: string, details: unknown): string | null {
  if (SILENT.has(event)) return null;
  const sentence = Object.hasOwn(SENTENCES, event) ? SENTENCES[event] : undefined;
  return sentence?.(detailsSchema.parse(details)) ?? event.replaceAll("_", " ");
}

function commitWords(id: string | null | undefined): string {
  return id ? ` in commit ${id.slice(0, 7)}` : "";
}

function reviewerOf({ requested_reviewer, requested_team }: Details): string {
  return requested_reviewer ?? requested_team ?? "somebody";
}

const TOPICS: Readonly<Record<string, EventTopic>> = {
  ...{ closed: "state", reopened: "state", convert_to_draft: "state", ready_for_review: "state" },
  ...{ locked: "state", unlocked: "state", review_dismissed: "state", merged: "merge" },
  ...{ labeled: "label", unlabeled: "label", milestoned: "date", demilestoned: "date" },
  ...{ assigned: "person", unassigned: "person", review_requested: "person" },
  ...{ review_request_removed: "person", renamed: "text", referenced: "link", transferred: "move" },
  ...{ head_ref_deleted: "branch", head_ref_restored: "branch", head_ref_force_pushed: "branch" },
};

/** What an event is about. */
export const eventTopic = (event: string): EventTopic | undefined =>
  Object.hasOwn(TOPICS, event) ? TOPICS[event] : undefined;
