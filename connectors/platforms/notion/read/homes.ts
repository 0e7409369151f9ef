import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The folder of a page, row or template. */
export type Home = {
  kind: "page" | "row" | "template";
  /**
   * Its id in views and URLs: that of the page; for a row or template `{data source}.{page}`, because the folder of a
   * row is found by both. So no page is looked for among the rows of all tables.
   */
  id: string;
  pageId: string;
  /** Null for a page. */
  sourceId: string | null;
  /** The path of the folder. */
  path: string;
};

/** A home whose page is in the version. */
export type FoundHome = { home: Home; entry: EntryInfo };

/** True for an id in the form in which paths hold it. */
export function isId(id: string): boolean {
  return ID.test(id);
}

export function pageHome(pageId: string): Home {
  return { kind: "page", id: pageId, pageId, sourceId: null, path: recordPaths.pageHome(pageId) };
}

export function rowHome(sourceId: string, pageId: string): Home {
  const path = recordPaths.rowHome(sourceId, pageId);
  return { kind: "row", id: `${sourceId}.${pageId}`, pageId, sourceId, path };
}

export function templateHome(sourceId: string, pageId: string): Home {
  const path = recordPaths.templateHome(sourceId, pageId);
  return { kind: "template", id: `${sourceId}.${pageId}`, pageId, sourceId, path };
}

/** The page, row or template with this id in views; null when the version has none. */
export async function findHome(snapshot: SnapshotView, id: string): Promise<FoundHome | null> {
  for (const home of homesOf(id)) {
    const entry = await snapshot.find(recordPaths.page(home.path));
    if (entry !== null) return { home, entry };
  }
  return null;
}

function homesOf(id: string): Home[] {
  if (isId(id)) return [pageHome(id)];
  const [sourceId = "", pageId = "", ...more] = id.split(".", 3);
  if (!isId(sourceId) || !isId(pageId) || more.length > 0) return [];
  return [rowHome(sourceId, pageId), templateHome(sourceId, pageId)];
}

/** The home that an entry belongs to, and its name in there; null for entries outside any. */
export function homeOfPath(path: string): { home: Home; name: string } | null {
  const [top = "", first = "", second = "", third = ""] = path.split("/", 4);
  const home = homeOfParts(top, first, second, third);
  const name = home === null ? "" : path.slice(home.path.length);
  return home === null || name === "" ? null : { home, name };
}

function homeOfParts(top: string, first: string, second: string, third: string): Home | null {
  if (!isId(first)) return null;
  if (top === "pages") return pageHome(first);
  if (top !== "sources" || !isId(third)) return null;
  if (second === "rows") return rowHome(first, third);
  return second === "templates" ? templateHome(first, third) : null;
}

/** The data source whose own record has this path; null for other paths. */
export function sourceIdOfPath(path: string): string | null {
  const [, id = ""] = path.split("/", 2);
  return path === recordPaths.source(id) ? id : null;
}

/** What an entry is to the page, row or template that it belongs to. Blocks are shown among its facts. */
export function roleIn(home: Home, name: string): EntryRole | null {
  if (name === "page.json") return { role: "part", id: home.id };
  const folder = name.slice(0, name.indexOf("/") + 1);
  if (folder === "blocks/") return { role: "value", partId: home.id };
  if (folder === "comments/") return { role: "comment", partId: home.id };
  if (folder === "files/") return { role: "file", partId: home.id };
  return null;
}
