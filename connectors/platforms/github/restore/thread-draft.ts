import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { momentText, type Origin } from "#connectors/toolkit/records/quote.ts";
import { hiddenFacts, hunkText, replyFacts, resolvedFacts, type Said } from "./comment-facts.ts";
import type { Thread } from "./list-threads.ts";
import { quoteGithub } from "./quote-github.ts";
import { reactionFacts } from "./reaction-facts.ts";
import {
  commentSchema,
  discussionCommentSchema,
  discussionSchema,
  issueSchema,
  pullSchema,
  reviewSchema,
} from "./restored-records.ts";

/** A comment to write. */
export type CommentDraft = { body: string; createdAt: string | null };

/** An issue to write. Bodies name their authors and notify nobody. */
export type IssueDraft = {
  title: string;
  body: string;
  createdAt: string | null;
  closedAt: string | null;
  isClosed: boolean;
  /** GitHub's `state_reason` of a closed issue. */
  reason: string | null;
  isLocked: boolean;
  /** GitHub's lock reason, e.g. "resolved"; null = none given. */
  lockReason: string | null;
  labels: string[];
  /** The milestone's number in the original. */
  milestone: number | null;
  comments: CommentDraft[];
  /** Number of texts that were too long and were cut. */
  cutTexts: number;
  /** Whether texts name assignees, or count reactions, because neither can be restored. */
  hasAssignees: boolean;
  hasReactions: boolean;
};

/** The branches of an open pull request that can be restored as one. */
export type PullBranches = { head: string; base: string; isDraft: boolean };

/** A thread to write, and whether to write it as a pull request. */
export type ThreadDraft = IssueDraft & {
  /** Branches of an open pull request from its own repository; null for any other thread. */
  pull: PullBranches | null;
};

const LONGEST_TITLE = 256;
const WHEN_UNKNOWN = "";

/** Reads a thread with its comments, in chronological order. */
export async function draftThread(
  { snapshot, config, sourceName }: { snapshot: SnapshotView; config: ConnectorConfig; sourceName: string },
  thread: Thread,
): Promise<ThreadDraft> {
  const quotes = createQuotes(config);
  const { resolved, ...draft } = await draftHead(snapshot, thread, quotes, sourceName);
  const comments: CommentDraft[] = [];
  const talk: Talk = { ...quotes, resolved, said: new Map() };
  // A reply has a higher id than what it replies to, so it comes later.
  for await (const { path, kind } of snapshot.list(thread.folder)) {
    const comment = readComment(kind, talk);
    if (comment === null) continue;
    const made = comment(await snapshot.readRecord(path));
    if (made !== null) comments.push(made);
  }
  comments.sort((a, b) => compare(a.createdAt ?? WHEN_UNKNOWN, b.createdAt ?? WHEN_UNKNOWN));
  return { ...draft, comments, cutTexts: quotes.cut(), hasReactions: quotes.hasReactions() };
}

/** An issue that takes a number which the original no longer has, so that later ones keep their own. */
export function placeholderDraft(number: number): ThreadDraft {
  return {
    title: `Placeholder for #${number}`,
    body: "The original had nothing under this number any more when it was backed up. It is kept free so that all later numbers stay the same.",
    createdAt: null,
    closedAt: null,
    isClosed: true,
    reason: "not_planned",
    isLocked: false,
    lockReason: null,
    labels: [],
    milestone: null,
    comments: [],
    cutTexts: 0,
    hasAssignees: false,
    hasReactions: false,
    pull: null,
  };
}

/** What a comment needs of its thread. */
type Talk = Quotes & {
  /** Who resolved conversations on lines, by the ids of their first comments; null = a deleted account. */
  resolved: ReadonlyMap<string, string | null>;
  said: Said;
};

type Quotes = {
  quote: (origin: Origin, body: string | null) => string;
  cut: () => number;
  /** Lines about reactions, which are noted. */
  reactionFacts: typeof reactionFacts;
  hasReactions: () => boolean;
};

function createQuotes(config: ConnectorConfig): Quotes {
  let cut = 0;
  let hasReactions = false;
  return {
    reactionFacts: (reactions) => {
      const facts = reactionFacts(reactions);
      hasReactions ||= facts.length > 0;
      return facts;
    },
    hasReactions: () => hasReactions,
    quote: (origin, body) => {
      const { text, isCut } = quoteGithub(config, origin, { body });
      if (isCut) cut += 1;
      return text;
    },
    cut: () => cut,
  };
}

async function draftHead(
  snapshot: SnapshotView,
  { source, folder }: Thread,
  { quote, reactionFacts }: Quotes,
  sourceName: string,
): Promise<Omit<ThreadDraft, "comments" | "cutTexts" | "hasReactions"> & Pick<Talk, "resolved">> {
  if (source === "discussion") {
    const record = discussionSchema.parse(await snapshot.readRecord(`${folder}discussion.json`));
    const kind = `A discussion${record.category === null ? "" : ` in ${record.category}`}.`;
    const facts = [kind, ...reactionFacts(record.reactions)];
    const origin = { author: record.author, at: record.createdAt, url: record.url, facts };
    return {
      labels: record.labels,
      milestone: null,
      hasAssignees: false,
      resolved: new Map(),
      title: titleOf(record.title),
      body: quote(origin, record.body),
      createdAt: record.createdAt,
      closedAt: null,
      isClosed: true,
      reason: "completed",
      isLocked: record.locked,
      lockReason: null,
      pull: null,
    };
  }
  const record =
    source === "issue"
      ? {
          ...issueSchema.parse(await snapshot.readRecord(`${folder}issue.json`)),
          pull: null,
          resolved_threads: [],
        }
      : pullOf(pullSchema.parse(await snapshot.readRecord(`${folder}pull.json`)), sourceName);
  const facts = [...("facts" in record ? record.facts : [])];
  if (record.assignees.length > 0) facts.push(`Assigned to ${record.assignees.join(", ")}.`);
  const isClosed = record.state === "closed";
  if (isClosed && source === "issue") facts.push(...closedFacts(record));
  facts.push(...reactionFacts(record.reactions));
  const origin = { author: record.user, at: record.created_at, url: record.html_url, facts };
  return {
    title: titleOf(record.title),
    body: quote(origin, record.body),
    createdAt: record.created_at,
    closedAt: isClosed ? record.closed_at : null,
    isClosed,
    reason: record.state_reason,
    isLocked: record.locked,
    lockReason: record.active_lock_reason,
    labels: record.labels,
    milestone: record.milestone,
    pull: record.pull,
    hasAssignees: record.assignees.length > 0,
    resolved: new Map(record.resolved_threads.map((one) => [String(one.comment_id), one.resolved_by])),
  };
}

/** How an issue was closed, if not as completed. */
const ENDINGS: Readonly<Record<string, string>> = {
  not_planned: " as not planned",
  duplicate: " as a duplicate",
};

/** Says when and how an issue was closed: the import takes no reason, and single calls take no date. */
function closedFacts({ closed_at, state_reason }: { closed_at: string | null; state_reason: string | null }) {
  const line = `Closed${onDate(closed_at)}${ENDINGS[state_reason ?? ""] ?? ""}`;
  return line === "Closed" ? [] : [`${line}.`];
}

function onDate(at: string | null): string {
  return at === null ? "" : ` on ${momentText(at)}`;
}

/** Describes a pull request, and returns its branches if it can be restored as one. */
function pullOf(record: ReturnType<typeof pullSchema.parse>, sourceName: string) {
  const { head, base, state, merged_at, merged_by } = record;
  const ways =
    head === null || base === null
      ? ""
      : ` from ${head.repo ?? "a deleted fork"}:${head.ref} into ${base.ref}`;
  const end =
    merged_at !== null
      ? `, merged${merged_by === null ? "" : ` by ${merged_by}`}${onDate(merged_at)}`
      : state === "closed"
        ? `, closed${onDate(record.closed_at)} without a merge`
        : "";
  const facts = [`A pull request${ways}${end}. Its commits: ${head?.sha ?? "unknown"}.`];
  return { ...record, facts, pull: branchesOf(record, sourceName) };
}

/** The branches of a pull request that can be restored as one: open, and between branches of its own repository. */
export function branchesOf(
  {
    head,
    base,
    state,
    draft,
  }: Pick<ReturnType<typeof pullSchema.parse>, "head" | "base" | "state" | "draft">,
  sourceName: string,
): PullBranches | null {
  if (head === null || base === null || state !== "open") return null;
  const isOwn = head.repo?.toLowerCase() === sourceName.toLowerCase();
  return isOwn ? { head: head.ref, base: base.ref, isDraft: draft } : null;
}

function readComment(kind: string, talk: Talk): ((value: unknown) => CommentDraft | null) | null {
  const { quote, reactionFacts, said, resolved } = talk;
  if (kind === "issue-comment" || kind === "review-comment") {
    return (value) => {
      const comment = commentSchema.parse(value);
      const { id, user, created_at, html_url, body, path, line, original_line } = comment;
      const place = line ?? original_line ?? null;
      const where = path === null ? [] : [`On \`${path}\`${place === null ? "" : `, line ${place}`}.`];
      const facts = [
        ...where,
        ...replyFacts(comment.in_reply_to_id, said),
        ...resolvedFacts(resolved, id),
        ...hiddenFacts(comment.minimized),
        ...reactionFacts(comment.reactions),
      ];
      if (id !== null) said.set(id, { author: user, url: html_url });
      // A reply is about the same lines as the comment that it replies to.
      const lines = comment.in_reply_to_id === null ? hunkText(comment.diff_hunk) : "";
      return {
        body: quote({ author: user, at: created_at, url: html_url, facts }, `${lines}${body ?? ""}`),
        createdAt: created_at,
      };
    };
  }
  if (kind === "review") {
    return (value) => {
      const { user, submitted_at, html_url, body, state, reactions } = reviewSchema.parse(value);
      if (!saysSomething({ state, body })) return null;
      const facts = [VERDICTS[state ?? ""] ?? "A review.", ...reactionFacts(reactions)];
      return {
        body: quote({ author: user, at: submitted_at, url: html_url, facts }, body),
        createdAt: submitted_at,
      };
    };
  }
  if (kind === "discussion-comment") {
    return (value) => {
      const comment = discussionCommentSchema.parse(value);
      const { databaseId, author, createdAt, url, body, reactions } = comment;
      const facts = [
        ...replyFacts(comment.replyTo, said),
        ...(comment.isAnswer ? ["Marked as the answer."] : []),
        ...hiddenFacts(comment.minimized),
        ...reactionFacts(reactions),
      ];
      if (databaseId !== null) said.set(databaseId, { author, url });
      return { body: quote({ author, at: createdAt, url, facts }, body), createdAt };
    };
  }
  return null;
}

/** Whether a review is restored as a comment: it has a verdict or a text. */
export function saysSomething({ state, body }: { state: string | null; body: string | null }): boolean {
  return (body ?? "") !== "" || (state ?? "") in VERDICTS;
}

/** Reviews without a text are restored only if they have one of these verdicts. */
const VERDICTS: Readonly<Record<string, string>> = {
  APPROVED: "A review: approved.",
  CHANGES_REQUESTED: "A review: changes requested.",
  DISMISSED: "A review that was dismissed.",
};

/** A title as GitHub takes it. */
export function titleOf(title: string): string {
  const cut = [...title].slice(0, LONGEST_TITLE).join("");
  return cut.trim() === "" ? "(without a title)" : cut;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
