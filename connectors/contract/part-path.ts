/** What can be restored by itself. */
export type Part =
  /** An entry of the version, with everything below it. */
  | { type: "entry"; path: string }
  /** All records of a kind, such as the labels. */
  | { type: "all"; kind: string }
  /** A file or folder of a view of files, at a branch or tag. */
  | { type: "file"; tree: string; ref: string; path: string };

/** No entry's path begins with a colon, and neither names of refs nor ids of views hold one (git-check-ref-format). */
const ALL = ":all:";
const FILE = ":file:";

/** Writes a part as text, in the form of an entry's path: the form of orders, requests and addresses. */
export function partPathOf(part: Part): string {
  switch (part.type) {
    case "entry":
      return part.path;
    case "all":
      return `${ALL}${part.kind}`;
    case "file":
      return `${FILE}${part.tree}:${part.ref}:${part.path}`;
    default:
      return part satisfies never;
  }
}

/** Reads what `partPathOf` wrote. Any other text is the path of an entry, which a version may not have. */
export function readPartPath(text: string): Part {
  if (text.startsWith(ALL)) return { type: "all", kind: text.slice(ALL.length) };
  const [, tree, ref, path] = /^:file:([^:]+):([^:]+):(.+)$/s.exec(text) ?? [];
  if (tree === undefined || ref === undefined || path === undefined) return { type: "entry", path: text };
  return { type: "file", tree, ref, path };
}
