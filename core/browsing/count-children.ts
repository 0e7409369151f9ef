import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import { MOST_CHILDREN_SCANNED } from "./limits.ts";
import type { Viewed } from "./open-view.ts";
import type { KindCount } from "./views.ts";

/**
 * Counts what belongs to a thread by kind, in the platform's order, without what the thread shows as its own facts.
 * Reads the list of entries only, and of a very large folder its first part.
 */
export async function countChildren(
  { view, connector }: Pick<Viewed, "view" | "connector">,
  threads: Pick<ThreadsView, "roleOf">,
  path: string,
): Promise<KindCount[]> {
  const counts = new Map<string, number>();
  let scanned = 0;
  for await (const entry of view.list(path.slice(0, path.lastIndexOf("/") + 1))) {
    scanned += 1;
    if (scanned > MOST_CHILDREN_SCANNED) break;
    if (entry.parent !== path || threads.roleOf(entry)?.role === "value") continue;
    counts.set(entry.kind, (counts.get(entry.kind) ?? 0) + 1);
  }
  return Object.entries(connector.entryKinds).flatMap(([kind, { one, many }]) => {
    const count = counts.get(kind);
    return count === undefined ? [] : [{ kind, one, many, count }];
  });
}
