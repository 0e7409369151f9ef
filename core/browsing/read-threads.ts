import type { SearchedThread, ThreadRow } from "#connectors/contract/thread-view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { fold } from "#core/kernel/fold.ts";
import { countChildren } from "./count-children.ts";
import { countNotes } from "./count-notes.ts";
import { MOST_NOTES_AT_ONCE, MOST_READ, NOTES_PER_PAGE } from "./limits.ts";
import { readListPage } from "./list-page.ts";
import { readView, type Viewed } from "./open-view.ts";
import type { ThreadListPage, ThreadPage } from "./views.ts";

/** Which threads to list: by state, by search, or both; after the thread with an id. */
export type ThreadQuery = {
  viewId: string | null;
  state: "open" | "closed" | null;
  search: string | null;
  after: string | null;
};

/** One page of threads, newest first. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readThreadList(
  open: Viewed,
  { viewId, state, search, after }: ThreadQuery,
): Promise<ThreadListPage> {
  const needle = fold(search ?? "");
  return await readView(open, { kind: "thread", id: viewId }, async (threads, view) => {
    const { words, count, hasStates } = threads;
    const hasState = (thread: SearchedThread) =>
      !hasStates || state === null || thread.state?.isOpen === (state === "open");
    const page = await readListPage(threads.threads(after), {
      isWanted: (thread) => hasState(thread) && (needle === "" || fold(textOf(thread)).includes(needle)),
      toRow: toThreadRow,
      markOf: ({ id }) => id,
      mostScanned: MOST_READ,
    });
    return { view, words, count, hasStates, ...page };
  });
}

/** Which notes of a thread to read. */
export type ThreadNotesQuery = {
  viewId: string | null;
  threadId: string;
  notesAfter: string | null;
  /** As many as one page can hold, not only the first ones. */
  isWhole?: boolean;
};

/** One thread with its notes, oldest first. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readThreadPage(
  open: Viewed,
  { viewId, threadId, notesAfter, isWhole = false }: ThreadNotesQuery,
): Promise<ThreadPage> {
  return await readView(open, { kind: "thread", id: viewId }, async (threads, view) => {
    const thread = await threads.thread(threadId);
    if (thread === null) throw new AppError("err.not.found");
    const most = isWhole ? MOST_NOTES_AT_ONCE : NOTES_PER_PAGE;
    const [notes, noteCount, neighbours, belongs] = await Promise.all([
      threads.notes(thread.id, { after: notesAfter, most }),
      countNotes(open, threads, thread),
      threads.neighbours(thread.id),
      countChildren(open, threads, thread.path),
    ]);
    return { view, words: threads.words, thread, notes, noteCount, neighbours, belongs };
  });
}

function textOf({ key, title, author, tags, words }: SearchedThread): string {
  return [key, title, author, ...tags.map(({ name }) => name), words].join("\n");
}

function toThreadRow({ words: _words, ...row }: SearchedThread): ThreadRow {
  return row;
}
