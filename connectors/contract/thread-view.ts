import type { EntryRole } from "./entry-role.ts";
import type { Field, FileLink, Tag } from "./field.ts";
import type { Note, NoteRange, Notes, Reaction } from "./note.ts";

/** A thread in a list. */
export type ThreadRow = {
  /** Unique in the view and safe in a URL. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  /** A short name shown beside the title: `#12`, `!7`, `v1.2.0`; null = none. */
  key: string | null;
  title: string;
  /** Named as at the platform; null = the thread has no state. */
  state: { label: string; isOpen: boolean } | null;
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  tags: Tag[];
};

/** A thread with its searchable text. */
export type SearchedThread = ThreadRow & {
  /** The thread's other text, without its notes. */
  words: string;
};

/** An opened thread, without its notes. */
export type ThreadDetail = ThreadRow & {
  /** Epoch ms. */
  editedAt: number | null;
  url: string | null;
  /** Markdown as its author wrote it; empty = none. */
  text: string;
  reactions: Reaction[];
  /** Other facts, as text: assignees, milestone, branches. */
  fields: Field[];
  files: FileLink[];
  /** The commits that it proposes, such as those of a pull request; null = it proposes none. */
  proposal: Proposal | null;
  /** What a restore makes of it, in one or two sentences for people; null = nothing that its kind does not tell. */
  comesBackAs: string | null;
};

/** Commits of a repository in the same version, proposed for one of its branches. */
export type Proposal = {
  /** Id of the view of files that has the commits. */
  tree: string;
  /** Id of the newest proposed commit. */
  head: string;
  /** Id of a commit of the branch from before the merge; null = unknown. */
  base: string | null;
  /** The full name of the branch, e.g. `refs/heads/main`. */
  into: string;
  /** Id of the commit that merged them; null = not merged, or unknown. */
  mergedAs: string | null;
};

/** Ids of the threads next to one in the list; null = it is the first or the last. */
export type ThreadNeighbours = { newer: string | null; older: string | null };

/** Threads, such as issues or releases: a list, and for each thread its notes. */
export interface ThreadsView {
  /** Names for one thread and for several. */
  words: { one: string; many: string };
  /** Number of threads. Known without reading any. */
  count: number;
  /** Whether threads are open or closed, so that a list can be filtered by state. */
  hasStates: boolean;
  /** All threads, newest first, or those after `after`. Reads one at a time, on demand. */
  threads(after: string | null): AsyncIterable<SearchedThread>;
  /** Finds a thread by its id, or null. */
  thread(id: string): Promise<ThreadDetail | null>;
  /** The threads before and after a thread of the list. */
  neighbours(id: string): Promise<ThreadNeighbours>;
  /** Comments and events of a thread, oldest first. */
  notes(threadId: string, range: NoteRange): Promise<Notes>;
  /** Finds a comment by the path of its entry, or null. */
  comment(path: string): Promise<Note | null>;
  /** The role of an entry in the view; null = the view does not show it. */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
