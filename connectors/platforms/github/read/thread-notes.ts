import { z } from "zod";
import type { Note } from "#connectors/contract/note.ts";
import { padId } from "#connectors/toolkit/records/pad-id.ts";
import type { NoteFolder } from "#connectors/toolkit/views/thread-folders.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import { reactionsOf } from "../restore/reaction-facts.ts";
import { commentSchema, discussionCommentSchema, reviewSchema } from "../restore/restored-records.ts";
import { eventSentence, eventTopic } from "./event-sentence.ts";

const text = z.string().nullish().catch(null);
const commentRecord = commentSchema.extend({ updated_at: text });
const discussionRecord = discussionCommentSchema.extend({
  updatedAt: text,
});
const eventRecord = z.looseObject({
  event: z.string(),
  created_at: text,
  actor: z.object({ login: z.string() }).nullish().catch(null),
});

const VERDICTS: Readonly<Record<string, string>> = {
  APPROVED: "Approved",
  CHANGES_REQUESTED: "Changes requested",
  DISMISSED: "Review dismissed",
};

/** Defaults of every comment. */
const COMMENT = { type: "comment", about: null, answers: null, files: [] } as const;

/** Comments of issues and pull requests. */
export const COMMENT_NOTES: NoteFolder = {
  folder: "comments/",
  role: "comment",
  read: ({ path, value }) => commentNote(path, commentRecord.parse(value)),
};

/** Comments on lines of pull requests. */
export const REVIEW_COMMENT_NOTES: NoteFolder = {
  folder: "review-comments/",
  role: "comment",
  read({ path, value }) {
    const comment = commentRecord.parse(value);
    const line = comment.line ?? comment.original_line ?? null;
    const where =
      comment.path === null ? null : line === null ? comment.path : `${comment.path}, line ${line}`;
    const about = listed([where, hiddenWords(comment.minimized)]);
    return { ...commentNote(path, comment), about, answers: siblingOf(path, comment.in_reply_to_id) };
  },
};

/** Reviews of pull requests. One without verdict and text is not shown; its line comments are notes of their own. */
export const REVIEW_NOTES: NoteFolder = {
  folder: "reviews/",
  role: "comment",
  read({ path, value }) {
    const { body, user, state, submitted_at, reactions } = reviewSchema.parse(value);
    const about = VERDICTS[state ?? ""] ?? null;
    if (about === null && !body) return null;
    const at = timeOf(submitted_at);
    return {
      ...COMMENT,
      path,
      author: user,
      at,
      editedAt: null,
      text: body ?? "",
      about,
      ...signs(reactions),
    };
  },
};

/** Comments of discussions and replies to them. */
export const DISCUSSION_NOTES: NoteFolder = {
  folder: "comments/",
  role: "comment",
  read({ path, value }) {
    const comment = discussionRecord.parse(value);
    const { body, author, createdAt, updatedAt, reactions, isAnswer, replyTo, minimized } = comment;
    return {
      ...{ ...COMMENT, path, author, text: body ?? "" },
      at: timeOf(createdAt),
      editedAt: editOf(createdAt, updatedAt),
      about: listed([isAnswer ? "Marked as the answer" : null, hiddenWords(minimized)]),
      answers: siblingOf(path, replyTo),
      ...signs(reactions),
    };
  },
};

/** Events of issues and pull requests. */
export const EVENT_NOTES: NoteFolder = {
  folder: "events/",
  role: "event",
  read({ path, value }) {
    const { event, actor, created_at, ...details } = eventRecord.parse(value);
    const sentence = eventSentence(event, details);
    if (sentence === null) return null;
    const author = actor?.login ?? null;
    return {
      ...{ path, type: "event", author, at: timeOf(created_at), editedAt: null, text: sentence },
      ...{ about: null, answers: null, reactions: [], files: [], topic: eventTopic(event) },
    };
  },
};

function commentNote(path: string, comment: z.output<typeof commentRecord>): Note {
  const { user, created_at, updated_at, body, reactions } = comment;
  const editedAt = editOf(created_at, updated_at);
  return {
    ...COMMENT,
    path,
    about: hiddenWords(comment.minimized),
    author: user,
    at: timeOf(created_at),
    editedAt,
    text: body ?? "",
    ...signs(reactions),
  };
}

/** Says that a comment is hidden on GitHub's page, and why. */
export function hiddenWords(reason: string | null): string | null {
  if (reason === null) return null;
  return reason === "" ? "Hidden" : `Hidden as ${reason.toLowerCase().replaceAll("_", " ")}`;
}

function listed(words: readonly (string | null)[]): string | null {
  const known = words.filter((word) => word !== null);
  return known.length === 0 ? null : known.join("; ");
}

function signs(reactions: Parameters<typeof reactionsOf>[0]): Pick<Note, "reactions" | "files"> {
  return { reactions: reactionsOf(reactions), files: [] };
}

function editOf(made: string | null, changed: string | null | undefined): number | null {
  return changed && changed !== made ? timeOf(changed) : null;
}

/** Path of another comment of the same folder. */
function siblingOf(path: string, id: string | null): string | null {
  if (id === null) return null;
  return `${path.slice(0, path.lastIndexOf("/") + 1)}${padId(id)}.json`;
}
