import type { Note } from "#connectors/contract/note.ts";
import { cutText } from "#connectors/toolkit/records/cut-text.ts";
import type { NoteFolder } from "#connectors/toolkit/views/thread-folders.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  changeRecordSchema,
  commentRecordSchema,
  type Person,
  worklogRecordSchema,
} from "../record-types.ts";
import { adfToMarkdown } from "./adf-markdown.ts";
import { adfToText } from "./adf-text.ts";
import { changeSentence, changeTopic } from "./change-sentence.ts";
import type { Names } from "./names.ts";
import { durationText, momentText } from "./value-text.ts";

type Entry = { path: string; value: Json };
const PLAIN = { about: null, answers: null, reactions: [], files: [] } satisfies Partial<Note>;
const LONGEST_REMARK = 300;

/** Folders of notes in an issue's folder. */
export function noteFolders(names: Names): NoteFolder[] {
  return [
    { folder: "comments/", role: "comment", read: commentNote },
    { folder: "worklogs/", role: "event", read: worklogNote },
    { folder: "changes/", role: "event", read: (entry) => changeNote(entry, names) },
  ];
}

/** A comment. A restricted one tells who may see it at Jira. */
export function commentNote({ path, value }: Entry): Note {
  const { author, created, updated, body, visibility, jsdPublic } = commentRecordSchema.parse(value);
  const audience = visibility?.value ? `Visible to ${visibility.value}` : null;
  return {
    ...{ ...PLAIN, path, type: "comment", author: nameOf(author), at: timeOf(created) },
    editedAt: updated !== null && updated !== created ? timeOf(updated) : null,
    text: adfToMarkdown(body),
    about: audience ?? (jsdPublic === false ? "Internal note" : null),
  };
}

/** A work log as a sentence: "logged 2h on 2026-11-20 08:00 UTC: checked the belt". */
export function worklogNote({ path, value }: Entry): Note {
  const { author, created, started, timeSpentSeconds, timeSpent, comment } = worklogRecordSchema.parse(value);
  const time = timeSpentSeconds > 0 ? durationText(timeSpentSeconds) : (timeSpent ?? "work");
  const remark = cutText(adfToText(comment).replace(/\s+/g, " "), LONGEST_REMARK);
  const when = started === null ? "" : ` on ${momentText(started)}`;
  return {
    ...{ ...PLAIN, path, type: "event", author: nameOf(author), at: timeOf(created), editedAt: null },
    text: `logged ${time}${when}${remark === "" ? "" : `: ${remark}`}`,
    topic: "date",
  };
}

/** An entry of the history. */
export function changeNote({ path, value }: Entry, names: Names): Note {
  const change = changeRecordSchema.parse(value);
  return {
    ...{ ...PLAIN, path, type: "event", author: nameOf(change.author), at: timeOf(change.created) },
    editedAt: null,
    text: changeSentence(change, names),
    topic: changeTopic(change),
  };
}

const nameOf = (person: Person | null): string | null => person?.displayName || null;
