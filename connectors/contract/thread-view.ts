import type { EntryRole } from "./entry-role.ts";
import type { Field, FileLink, Tag } from "./field.ts";
import type { Note, NoteRange, Notes, Reaction } from "./note.ts";

/** A line of a list of threads. */
export type ThreadRow = {
  /** Unique in the view and fit for an address. */
  id: string;
  /** Path of its entry in the version. */
  path: string;
  /** What people call it beside its title: `#12`, `!7`, `v1.2.0`; null = nothing. */
  key: string | null;
  title: string;
  /** In the platform's words; null = it has none. */
  state: { label: string; isOpen: boolean } | null;
  author: string | null;
  /** Epoch ms. */
  at: number | null;
  tags: Tag[];
};

/** A thread as a search sees it. */
export type SearchedThread = ThreadRow & {
  /** What else is written in it, its notes apart. */
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
  /** What else it says, in words: assignees, milestone, branches. */
  fields: Field[];
  files: FileLink[];
};

/** Things that people open, talk about and close, such as issues or releases: a list, and each with what was said below it. */
export interface ThreadsView {
  /** What one of them and several are called. */
  words: { one: string; many: string };
  /** How many the version has. Known without reading any. */
  count: number;
  /** Whether they are open or closed, so that a list may be had of one state alone. */
  hasStates: boolean;
  /** All threads, newest first, or those behind one, read one by one as they are asked for. */
  threads(after: string | null): AsyncIterable<SearchedThread>;
  /** One thread; null when the version has none of that id. */
  thread(id: string): Promise<ThreadDetail | null>;
  /** Comments and events of a thread, oldest first. */
  notes(threadId: string, range: NoteRange): Promise<Notes>;
  /** One comment by the path of its entry; null when there is none. */
  comment(path: string): Promise<Note | null>;
  /** What an entry is to the view; null = nothing that it shows. */
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
}
