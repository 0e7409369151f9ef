import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { bookRecordSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { openPages } from "./pages-view.ts";
import { openRegister } from "./register-view.ts";

/**
 * How people see a version: its pages with the registers among them, and each register at the top of the book as a table
 * of its own. Only the record of the book is read before a view opens.
 */
export async function views(snapshot: SnapshotView): Promise<readonly View[]> {
  const all: View[] = [{ kind: "pages", id: "pages", label: "Pages", open: () => openPages(snapshot) }];
  const { contents } = bookRecordSchema.parse(await snapshot.readRecord(recordPaths.book));
  for (const { type, id } of contents) {
    const entry = type === "register" ? await snapshot.find(recordPaths.register(id)) : null;
    if (entry === null) continue;
    const open = async () => {
      const table = await openRegister(snapshot, id);
      invariant(table !== null, "the register was found");
      return table;
    };
    all.push({ kind: "table", id, label: entry.title?.trim() || "Register", open });
  }
  return all;
}
