/** Paths of a version's entries. The folder of a page or row holds its comments and files. */
export const recordPaths = {
  book: "book.json",
  readers: "readers.json",
  pages: "pages/",
  page: (id: string) => `pages/${id}/page.json`,
  registers: "registers/",
  register: (id: string) => `registers/${id}/register.json`,
  rows: (registerId: string) => `registers/${registerId}/rows/`,
  row: (registerId: string, id: string) => `registers/${registerId}/rows/${id}/row.json`,
} as const;

/** What a path names, from its form alone. */
export type Named =
  | { type: "page" | "register"; id: string }
  | { type: "row"; id: string; registerId: string }
  | { type: "comment" | "file"; of: { type: "page" | "row"; id: string; registerId: string | null } };

const ID = "([a-z0-9]+)";
const FORM = new RegExp(`^(?:pages/${ID}|registers/${ID}(?:/rows/${ID})?)/(.+)$`);

/** Reads a path; null = it names nothing that people see. */
export function readPath(path: string): Named | null {
  const [, pageId, registerId, rowId, rest = ""] = FORM.exec(path) ?? [];
  if (registerId !== undefined && rowId === undefined)
    return rest === "register.json" ? { type: "register", id: registerId } : null;
  const id = pageId ?? rowId;
  if (id === undefined) return null;
  const below = /^(comments|files)\//.exec(rest)?.[1];
  const type = pageId === undefined ? "row" : "page";
  if (below !== undefined) {
    const of = { type, id, registerId: registerId ?? null } as const;
    return { type: below === "comments" ? "comment" : "file", of };
  }
  if (rest !== `${type}.json`) return null;
  return type === "page" ? { type, id } : { type, id, registerId: registerId ?? "" };
}

/** The folder of a page or row, from the path of its record. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
