import type { NotionParent } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredRoots } from "../records.ts";
import { findPage } from "./entry-above.ts";
import type { Root, Work } from "./workspace-run.ts";

/**
 * Notes that a page or database may have no parent in the version: it stands in the workspace itself, or its parent is not
 * covered by the grant. Something below a block is such a thing until its page was read, which `discover` then says.
 */
export async function noteRoot(
  work: Work,
  thing: { type: "page" | "database"; id: string; parent: NotionParent; created_time: string },
): Promise<void> {
  const { type, id, parent, created_time: createdAt } = thing;
  if (parent.type !== "workspace") {
    if (work.placed.has(id)) return;
    if (parent.type === "page_id" && (await findPage(work, parent.page_id ?? "")) !== null) {
      work.roots.delete(id);
      return;
    }
    // It was found below a page before, and nothing says that this changed.
    if (parent.type !== "page_id" && !work.roots.has(id) && (await wasThere(work, { type, id }))) return;
  }
  work.roots.set(id, { type, id, createdAt });
}

async function wasThere({ previous }: Work, { type, id }: Pick<Root, "type" | "id">): Promise<boolean> {
  const path = type === "page" ? recordPaths.page(recordPaths.pageHome(id)) : recordPaths.database(id);
  return (await previous?.find(path)) != null;
}

/** Oldest first: Notion's API does not give the order of the sidebar. */
export function sortedRoots(roots: Iterable<Root>): Root[] {
  return [...roots].sort(
    (one, other) => compare(one.createdAt, other.createdAt) || compare(one.id, other.id),
  );
}

/** The value of the record of roots. */
export function rootsValue(roots: Iterable<Root>): StoredRoots {
  return { roots: sortedRoots(roots).map(({ type, id }) => ({ type, id })) };
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
