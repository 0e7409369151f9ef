import { z } from "zod";

/**
 * The records of a snapshot, as a restore reads them. Every field may be missing, except those that identify an object:
 * old snapshots must be restorable too.
 */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
/** The login of an account; null = the account was deleted. */
const login = z
  .object({ login: z.string() })
  .nullish()
  .transform((account) => account?.login ?? null);
const logins = z
  .array(z.object({ login: z.string() }))
  .nullish()
  .transform((accounts) => (accounts ?? []).map((account) => account.login));
const labels = z
  .array(z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)]))
  .nullish()
  .transform((names) => names ?? []);
const milestoneNumber = z
  .object({ number: z.int() })
  .nullish()
  .transform((milestone) => milestone?.number ?? null);

/** Why a comment is hidden, e.g. `off-topic`; an empty text when GitHub does not say; null = it is shown. */
const minimized = z
  .object({ reason: z.string().nullish() })
  .nullish()
  .catch(null)
  .transform((value) => (value ? (value.reason ?? "") : null));
/** The id of another comment. */
const anId = z
  .union([z.int(), z.string()])
  .nullish()
  .catch(null)
  .transform((id) => (id === null || id === undefined ? null : String(id)));

/** Logins by reaction. */
const reactions = z.record(z.string(), z.array(z.string())).catch({});

/** A label. */
export const labelSchema = z.object({ name: z.string(), color: text, description: text });

/** A milestone. */
export const milestoneSchema = z.object({
  number: z.int(),
  title: z.string(),
  state: text,
  description: text,
  due_on: text,
});

/** Fields that issues and pull requests share. */
const threadFields = {
  number: z.int(),
  title: z.string(),
  body: text,
  user: login,
  state: text,
  state_reason: text,
  locked: flag,
  active_lock_reason: text,
  reactions,
  labels,
  milestone: milestoneNumber,
  assignees: logins,
  created_at: text,
  closed_at: text,
  html_url: text,
};

/** An issue. */
export const issueSchema = z.object({
  ...threadFields,
  /** The API's address of the issue that it is a sub-issue of. */
  parent_issue_url: text,
  /** Issues that block it. */
  blocked_by: z.array(z.object({ html_url: z.string() })).catch([]),
});

const branch = z
  .object({
    ref: z.string(),
    sha: text,
    repo: z
      .object({ full_name: z.string() })
      .nullish()
      .transform((repo) => repo?.full_name ?? null),
  })
  .nullish()
  .transform((value) => value ?? null);

/** A pull request. */
export const pullSchema = z.object({
  ...threadFields,
  draft: flag,
  merged_at: text,
  merged_by: login,
  /** Conversations on lines that are resolved, by the ids of their first comments. */
  resolved_threads: z.array(z.object({ comment_id: z.int(), resolved_by: login })).catch([]),
  head: branch,
  base: branch,
});

/** A comment on an issue, a pull request, a review or a line of code. */
export const commentSchema = z.object({
  id: anId,
  body: text,
  user: login,
  created_at: text,
  html_url: text,
  path: text,
  line: z.number().nullish(),
  original_line: z.number().nullish(),
  /** The lines of the change that it is about. */
  diff_hunk: text,
  in_reply_to_id: anId,
  minimized,
  reactions,
});

/** A review: its verdict, and a body that may be empty. */
export const reviewSchema = z.object({
  body: text,
  user: login,
  state: text,
  submitted_at: text,
  html_url: text,
  reactions,
});

/** A discussion, in GraphQL's form. */
export const discussionSchema = z.object({
  number: z.int(),
  title: z.string(),
  body: text,
  author: login,
  createdAt: text,
  url: text,
  locked: flag,
  reactions,
  labels,
  category: z
    .object({ name: z.string() })
    .nullish()
    .transform((category) => category?.name ?? null),
});

/** A comment on a discussion. */
export const discussionCommentSchema = z.object({
  databaseId: anId,
  replyTo: anId,
  isAnswer: flag,
  minimized,
  body: text,
  author: login,
  createdAt: text,
  url: text,
  reactions,
});

/** A release. */
export const releaseSchema = z.object({
  tag_name: z.string(),
  name: text,
  body: text,
  draft: flag,
  prerelease: flag,
  author: login,
  created_at: text,
  published_at: text,
  html_url: text,
  reactions,
  assets: z
    .array(
      z.object({
        id: z.union([z.int(), z.string()]).transform(String),
        name: z.string(),
        label: text,
        content_type: text,
      }),
    )
    .nullish()
    .transform((assets) => assets ?? []),
});
export type ReleaseRecord = z.output<typeof releaseSchema>;

/** A gist. */
export const gistRecordSchema = z.object({ description: text, public: flag });
