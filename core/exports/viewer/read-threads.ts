import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { ViewerPart } from "./data.ts";
import { type FindInZip, filesOf, listsOf, readNotes, some, textBlocks } from "./shape-part.ts";

/** Every thread, newest first, with its notes. */
export async function* readThreads(threads: ThreadsView, find: FindInZip): AsyncGenerator<ViewerPart, void> {
  for await (const { id } of threads.threads(null)) {
    const thread = await threads.thread(id);
    if (thread === null) continue;
    const { notes, isCut } = await readNotes((range) => threads.notes(id, range), find);
    yield {
      type: "thread",
      id,
      key: thread.key ?? undefined,
      title: thread.title,
      state: thread.state ?? undefined,
      author: thread.author ?? undefined,
      at: thread.at ?? undefined,
      editedAt: thread.editedAt ?? undefined,
      url: thread.url ?? undefined,
      ...listsOf(thread),
      blocks: textBlocks(thread.text),
      files: filesOf(thread.files, find),
      notes: some(notes),
      areNotesCut: isCut ? true : undefined,
    };
  }
}
