import { z } from "zod";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { paths } from "../client.ts";
import { bookRecordSchema, madeSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { RestoreIo } from "./restore-io.ts";

/** The book that a restore goes into. */
export type TargetBook = { id: string; name: string };

/** Finds the existing target, or makes a new book with the description of the original. @throws ConnectorError */
export async function bookOf(
  io: Pick<RestoreIo, "client" | "snapshot" | "journal" | "siteId" | "mark" | "answers">,
  { target }: Pick<RestoreOrder, "target">,
): Promise<TargetBook> {
  const { client, snapshot, journal, siteId, mark, answers } = io;
  const about = target.kind === "existing" ? "the book that was chosen" : "the new book";
  if (target.kind === "existing") {
    const path = paths.book(siteId, target.item.externalId);
    const schema = z.object({ id: z.string(), name: z.string() });
    return await client.request({ method: "GET", path, about }, schema);
  }
  const { name } = target;
  const known = await readNote(journal, "book", z.string());
  if (known !== null) return { id: known, name };
  const { description } = bookRecordSchema.parse(await snapshot.readRecord(recordPaths.book));
  const body = { requestId: `${mark}:book`, name, description, sharing: answers.sharing };
  const call = { method: "POST", path: paths.books(siteId), body, about, isRepeatable: true } as const;
  const { id } = await client.request(call, madeSchema);
  await journal.record("book", id);
  return { id, name };
}
