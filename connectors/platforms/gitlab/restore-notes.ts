import { z } from "zod";
import type { ConnectorConfig, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { LARGEST_PAGE } from "./client.ts";
import { discussionsSchema, type GitlabNote, noteSchema } from "./payloads.ts";
import { quoteGitlab } from "./quote-gitlab.ts";
import type { RestorePace } from "./restore-pace.ts";
import { isRefusal } from "./restore-refusal.ts";

/** Where notes are written to. */
export type NotesTarget = {
  client: HttpClient;
  config: ConnectorConfig;
  pace: RestorePace;
  /** Path of the API of the new issue, merge request or snippet. */
  thing: string;
  /** Page of the original. */
  originUrl: string | null;
  /** Whether an earlier attempt may have written some of them. */
  mayBeThere: boolean;
};

/** What became of the notes of one thing. */
export type NotesOutcome = { count: number; system: number; areDatesKept: boolean };

const createdNoteSchema = z.object({ id: z.int(), created_at: z.string() });
const createdDiscussionSchema = z.object({ id: z.string(), notes: z.array(createdNoteSchema).min(1) });
type Discussion = { notes: GitlabNote[] };
type Writing = { target: NotesTarget; discussionId: string | null; isThread: boolean };

/** Reads the notes of a thing. */
export async function readNotes(snapshot: SnapshotView, paths: readonly string[]): Promise<GitlabNote[]> {
  const notes: GitlabNote[] = [];
  for (const path of paths) notes.push(noteSchema.parse(await snapshot.readRecord(path)));
  return notes;
}

/**
 * Writes notes again, discussion by discussion, in the order in which they began. GitLab makes those of the system
 * itself, so these are only counted. The line on top of each names its original, which tells after a crash what is
 * there already; hence a slice may end after any of them.
 */
export async function* restoreNotes(
  notes: readonly GitlabNote[],
  target: NotesTarget,
): AsyncGenerator<RestoreEvent, NotesOutcome> {
  const discussions = discussionsOf(notes.filter((note) => !note.system));
  const outcome: NotesOutcome = {
    count: 0,
    system: notes.filter((note) => note.system).length,
    areDatesKept: true,
  };
  if (discussions.length === 0) return outcome;
  const there = target.mayBeThere ? await writtenNotes(target) : new Map<number, string>();
  for (const discussion of discussions) {
    let discussionId: string | null = null;
    for (const note of discussion.notes) {
      const known = there.get(note.id);
      if (known !== undefined) {
        discussionId = known;
        outcome.count += 1;
        continue;
      }
      await target.pace.beforeNote();
      try {
        const made = await writeNote(note, { target, discussionId, isThread: discussion.notes.length > 1 });
        discussionId = made.discussionId;
        outcome.count += 1;
        if (Date.parse(made.createdAt) !== Date.parse(note.created_at)) outcome.areDatesKept = false;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const what = `A comment of ${note.author?.username ?? "somebody"} (${target.thing})`;
        yield { type: "impossible", what, reason: error.message };
      }
      yield { type: "checkpoint" };
    }
  }
  return outcome;
}

/** Discussions in the order of their first notes. */
function discussionsOf(notes: readonly GitlabNote[]): Discussion[] {
  const groups = new Map<string, GitlabNote[]>();
  const inOrder = [...notes].sort(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id,
  );
  for (const note of inOrder) {
    const key = note.discussion_id ?? String(note.id);
    groups.set(key, [...(groups.get(key) ?? []), note]);
  }
  return [...groups.values()].map((members) => ({ notes: members }));
}

/** Notes that an earlier attempt has written: the original's id, and the discussion that the copy is in. */
async function writtenNotes({ client, thing }: NotesTarget): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const query = { per_page: LARGEST_PAGE };
  const call = { method: "GET", path: `${thing}/discussions`, query, about: "the new comments" } as const;
  for await (const { members } of readPages(client, call, discussionsSchema)) {
    for (const { id, notes } of members) {
      for (const { body } of notes) {
        const original = /^> .*#note_([0-9]+)\)/.exec(body)?.[1];
        if (original !== undefined) found.set(Number(original), id);
      }
    }
  }
  return found;
}

async function writeNote(
  note: GitlabNote,
  { target, discussionId, isThread }: Writing,
): Promise<{ discussionId: string | null; createdAt: string }> {
  const { client, thing, config, originUrl } = target;
  const origin = {
    author: note.author?.username ?? null,
    at: note.created_at,
    url: originUrl === null ? null : `${originUrl}#note_${note.id}`,
    facts: [...placeFacts(note), ...resolvedFacts(note)],
  };
  const body = {
    body: quoteGitlab(config, origin, note.body),
    created_at: note.created_at,
    ...(note.internal === true ? { internal: true } : {}),
  };
  const call = { method: "POST", body, about: "a comment", missing: "forbidden" } as const;
  if (!isThread) {
    const made = await client.request({ ...call, path: `${thing}/notes` }, createdNoteSchema);
    return { discussionId: null, createdAt: made.created_at };
  }
  if (discussionId === null) {
    const made = await client.request({ ...call, path: `${thing}/discussions` }, createdDiscussionSchema);
    const first = made.notes[0];
    invariant(first !== undefined, "a discussion begins with a note");
    return { discussionId: made.id, createdAt: first.created_at };
  }
  const path = `${thing}/discussions/${encodeURIComponent(discussionId)}/notes`;
  const made = await client.request({ ...call, path }, createdNoteSchema);
  return { discussionId, createdAt: made.created_at };
}

/** A comment on a line of a change comes back as a plain one that names the line. */
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

/** Who resolved it: nobody can resolve a thread for somebody else. */
function resolvedFacts(note: GitlabNote): string[] {
  const told = resolvedSchema.safeParse(note);
  if (!told.success) return [];
  const by = told.data.resolved_by;
  return [by ? `Resolved by ${by.username}.` : "Resolved."];
}
