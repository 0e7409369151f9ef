import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { ConnectorConfig, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { LARGEST_PAGE } from "../client.ts";
import { discussionsSchema, type GitlabNote, internalFlags, noteSchema } from "../payloads.ts";
import { quoteGitlab } from "./quote-gitlab.ts";
import type { RewriteLinks } from "./restore-io.ts";
import type { RestorePace } from "./restore-pace.ts";
import { isRefusal } from "./restore-refusal.ts";

/** Where to restore notes. */
export type NotesTarget = {
  client: HttpClient;
  config: ConnectorConfig;
  pace: RestorePace;
  rewrite: RewriteLinks;
  /** API path of the new issue, merge request or snippet. */
  thing: string;
  /** URL of the original's page. */
  originUrl: string | null;
  /** Whether an earlier attempt may have written some of them. */
  mayBeThere: boolean;
};

/** The result for the notes of one thing. */
export type NotesOutcome = { count: number; system: number; areDatesKept: boolean };

const createdNoteSchema = z.object({ id: z.int(), created_at: z.string(), ...internalFlags });
type CreatedNote = z.output<typeof createdNoteSchema>;
const createdDiscussionSchema = z.object({ id: z.string(), notes: z.array(createdNoteSchema).min(1) });

/** A discussion of the version, or a single comment without replies. */
type Thread = { ids: readonly number[]; isInternal: boolean; notes: readonly GitlabNote[] };
/** A note that was already restored. */
type Written = { discussionId: string; noteId: number; isInternal: boolean };
type Writing = { target: NotesTarget; there: ReadonlyMap<number, Written>; outcome: NotesOutcome };
type Place = { discussionId: string | null; isInternal: boolean; isThread: boolean };

const NOT_INTERNAL =
  "It is internal, and GitLab would show its copy to everybody who may see the rest. The backup and its ZIP keep it.";

/** Reads the notes of a thing. */
export async function readNotes(snapshot: SnapshotView, paths: readonly string[]): Promise<GitlabNote[]> {
  const notes: GitlabNote[] = [];
  for (const path of paths) notes.push(noteSchema.parse(await snapshot.readRecord(path)));
  return notes;
}

/**
 * Restores notes, discussion by discussion, in the order in which they began. GitLab writes system notes itself, so
 * they are only counted. The line on top of each copy names its original and shows after a crash what was already
 * restored, so a slice may end after any note.
 *
 * An internal discussion begins as a plain comment, because only plain comments accept the flag (GitLab,
 * lib/api/discussions.rb and notes.rb); replies inherit it (app/services/notes/build_service.rb). That service silently
 * drops the flag when the account may not set it. So every response is checked, and a copy that others could read is
 * deleted and reported. If an attempt crashed before deleting such a copy, the next one deletes it and writes the note
 * again; no reply goes into its discussion.
 */
export async function* restoreNotes(
  notes: readonly GitlabNote[],
  target: NotesTarget,
): AsyncGenerator<RestoreEvent, NotesOutcome> {
  const outcome: NotesOutcome = {
    count: 0,
    system: notes.filter((note) => note.system).length,
    areDatesKept: true,
  };
  let open = threadsOf(notes.filter((note) => !note.system));
  let mayBeThere = target.mayBeThere;
  while (open.length > 0) {
    const there = mayBeThere ? await writtenNotes(target) : new Map<number, Written>();
    const begun: Thread[] = [];
    for (const thread of open) {
      const rest = yield* writeThread(thread, { target, there, outcome });
      if (rest.length > 0) begun.push({ ...thread, notes: rest });
    }
    // A reply needs its comment's discussion, which GitLab's response to the comment does not contain.
    open = begun;
    mayBeThere = true;
  }
  return outcome;
}

/** Discussions, ordered by their first notes. */
function threadsOf(notes: readonly GitlabNote[]): Thread[] {
  const groups = new Map<string, GitlabNote[]>();
  const inOrder = [...notes].sort(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id,
  );
  for (const note of inOrder) {
    const key = note.discussion_id ?? String(note.id);
    const members = groups.get(key);
    if (members) members.push(note);
    else groups.set(key, [note]);
  }
  return [...groups.values()].map((members) => ({
    ids: members.map(({ id }) => id),
    isInternal: isInternal(members[0]),
    notes: members,
  }));
}

/** @returns The notes that must wait until the discussion of the first one is known. */
async function* writeThread(
  { ids, isInternal: isHidden, notes }: Thread,
  { target, there, outcome }: Writing,
): AsyncGenerator<RestoreEvent, readonly GitlabNote[]> {
  const isExposed = (copy: Written) => isHidden && !copy.isInternal;
  const known = ids.map((id) => there.get(id)).find((copy) => copy !== undefined && !isExposed(copy));
  const place: Place = {
    discussionId: known?.discussionId ?? null,
    isInternal: isHidden,
    isThread: ids.length > 1,
  };
  for (const [index, note] of notes.entries()) {
    const what = `A comment of ${note.author?.username ?? "somebody"} (${target.thing})`;
    const copy = there.get(note.id);
    if (copy !== undefined && !isExposed(copy)) {
      outcome.count += 1;
      continue;
    }
    try {
      if (copy !== undefined) await removeNote(target, copy.noteId);
      const made = isHidden || !isInternal(note) ? await writeNote(note, { target, place }) : null;
      if (made === null) yield { type: "missing", what, reason: NOT_INTERNAL };
      else {
        outcome.count += 1;
        if (Date.parse(made.createdAt) !== Date.parse(note.created_at)) outcome.areDatesKept = false;
        place.discussionId = made.discussionId;
        if (isHidden && made.discussionId === null) {
          yield { type: "checkpoint" };
          return notes.slice(index + 1);
        }
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "missing", what, reason: error.message };
    }
    yield { type: "checkpoint" };
  }
  return [];
}

/** Notes that were already restored, by the ids of their originals. */
async function writtenNotes({ client, thing }: NotesTarget): Promise<Map<number, Written>> {
  const found = new Map<number, Written>();
  const query = { per_page: LARGEST_PAGE };
  const call = { method: "GET", path: `${thing}/discussions`, query, about: "the new comments" } as const;
  for await (const { members } of readPages(client, call, discussionsSchema)) {
    for (const { id, notes } of members) {
      for (const note of notes) {
        const original = /^> .*#note_([0-9]+)\)/.exec(note.body)?.[1];
        if (original === undefined) continue;
        found.set(Number(original), { discussionId: id, noteId: note.id, isInternal: isInternal(note) });
      }
    }
  }
  return found;
}

/** @returns Null when GitLab did not make the copy of an internal note internal; the copy is deleted again. */
async function writeNote(
  note: GitlabNote,
  { target, place }: { target: NotesTarget; place: Place },
): Promise<{ discussionId: string | null; createdAt: string } | null> {
  await target.pace.beforeNote();
  const { discussionId, created } = await postNote(note, { target, place });
  if (place.isInternal && !isInternal(created)) {
    await removeNote(target, created.id);
    return null;
  }
  return { discussionId, createdAt: created.created_at };
}

async function postNote(
  note: GitlabNote,
  { target, place }: { target: NotesTarget; place: Place },
): Promise<{ discussionId: string | null; created: CreatedNote }> {
  const { client, thing, config, originUrl, rewrite } = target;
  const origin = {
    author: note.author?.username ?? null,
    at: note.created_at,
    url: originUrl === null ? null : `${originUrl}#note_${note.id}`,
    facts: [...placeFacts(note), ...resolvedFacts(note)],
  };
  const body = { body: quoteGitlab(config, origin, rewrite(note.body)), created_at: note.created_at };
  const call = { method: "POST", body, about: "a comment", missing: "forbidden" } as const;
  const { discussionId, isInternal: isHidden, isThread } = place;
  if (discussionId !== null) {
    const path = `${thing}/discussions/${encodeURIComponent(discussionId)}/notes`;
    return { discussionId, created: await client.request({ ...call, path }, createdNoteSchema) };
  }
  if (isThread && !isHidden) {
    const made = await client.request({ ...call, path: `${thing}/discussions` }, createdDiscussionSchema);
    const first = made.notes[0];
    invariant(first !== undefined, "a discussion begins with a note");
    return { discussionId: made.id, created: first };
  }
  const plain = { ...call, path: `${thing}/notes`, body: isHidden ? { ...body, internal: true } : body };
  return { discussionId: null, created: await client.request(plain, createdNoteSchema) };
}

async function removeNote({ client, thing }: NotesTarget, noteId: number): Promise<void> {
  const path = `${thing}/notes/${noteId}`;
  try {
    await client.send({ method: "DELETE", path, about: "a comment" });
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
  }
}

/** Whether only members may read it. GitLab before 15.5 calls the flag `confidential`. */
function isInternal(note: Pick<CreatedNote, "internal" | "confidential"> | undefined): boolean {
  return note?.internal === true || note?.confidential === true;
}

/** A comment on a line of a change is restored as a plain comment that names the line. */
function placeFacts({ position }: GitlabNote): string[] {
  const file = position?.new_path ?? position?.old_path;
  if (file == null) return [];
  const line = position?.new_line ?? position?.old_line;
  return [`On the file \`${file}\`${typeof line === "number" ? `, line ${line}` : ""}.`];
}

const resolvedSchema = z.object({
  resolved: z.literal(true),
  resolved_by: z.object({ username: z.string() }).nullish(),
});

/** Who resolved the thread: a restore cannot resolve it in somebody else's name. */
function resolvedFacts(note: GitlabNote): string[] {
  const parsed = resolvedSchema.safeParse(note);
  if (!parsed.success) return [];
  const by = parsed.data.resolved_by;
  return [by ? `Resolved by ${by.username}.` : "Resolved."];
}
