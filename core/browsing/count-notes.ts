import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import { MOST_CHILDREN_SCANNED } from "./limits.ts";
import type { Viewed } from "./open-view.ts";

const NOTES: ReadonlySet<string> = new Set(["comment", "event", "note"]);

/** Counts the comments and events of a thread from the list of entries alone. Null = its folder is too large. */
export async function countNotes(
  { view }: Pick<Viewed, "view">,
  threads: Pick<ThreadsView, "roleOf">,
  { id, path }: { id: string; path: string },
): Promise<number | null> {
  let [count, scanned] = [0, 0];
  for await (const entry of view.list(path.slice(0, path.lastIndexOf("/") + 1))) {
    scanned += 1;
    if (scanned > MOST_CHILDREN_SCANNED) return null;
    const role = threads.roleOf(entry);
    if (role !== null && NOTES.has(role.role) && "partId" in role && role.partId === id) count += 1;
  }
  return count;
}
