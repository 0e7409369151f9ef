import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { almanacClient, paths, siteOf } from "../client.ts";
import { bookSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";

/** The book itself, and how much Almanac says it holds. */
export const bookPart: BackupStage = {
  id: "book",
  async *run({ session, order }) {
    const path = paths.book(siteOf(session), order.item.externalId);
    const call = { method: "GET", path, about: "this book" } as const;
    const { counts, sizeBytes: _size, ...book } = await almanacClient(session).request(call, bookSchema);
    yield { type: "record", path: recordPaths.book, kind: "book", title: book.name, value: book };
    for (const [kind, count] of Object.entries(counts)) yield { type: "reported", kind, count };
  },
};
