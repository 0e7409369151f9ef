import { toHex } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";
import { isOid, type ObjectFormat, oidLength } from "./object-format.ts";

/** The author or committer of a commit, with the time. */
export type GitSignature = { name: string; email: string; at: number };

export type GitCommit = {
  tree: string;
  parents: string[];
  author: GitSignature;
  committer: GitSignature;
  message: string;
};

/** The kind of a tree entry, from its mode. */
export type TreeEntryKind = "folder" | "file" | "link" | "submodule";
/** An entry as git stores it: mode in octal digits, and a name that may not be UTF-8. */
export type RawEntry = { mode: string; name: Uint8Array; oid: string };
export type TreeEntry = { name: string; kind: TreeEntryKind; isExecutable: boolean; oid: string };

/** Parses a commit. @throws GitPackError when it has no tree */
export function parseCommit(bytes: Uint8Array, format: ObjectFormat): GitCommit {
  const { headers, body } = splitHeaders(bytes);
  const tree = headers.find(([key]) => key === "tree")?.[1] ?? "";
  if (!isOid(tree, format)) throw new GitPackError("malformed", "A commit names no tree");
  const parents = headers.filter(([key, value]) => key === "parent" && isOid(value, format));
  const text = (key: string) => headers.find(([name]) => name === key)?.[1] ?? "";
  return {
    tree,
    parents: parents.map(([, value]) => value),
    author: parseSignature(text("author")),
    committer: parseSignature(text("committer")),
    message: decode(body, text("encoding")),
  };
}

/** Parses an annotated tag. @throws GitPackError when it names no object */
export function parseTag(bytes: Uint8Array, format: ObjectFormat): { object: string; message: string } {
  const { headers, body } = splitHeaders(bytes);
  const object = headers.find(([key]) => key === "object")?.[1] ?? "";
  if (!isOid(object, format)) throw new GitPackError("malformed", "A tag names no object");
  return { object, message: decode(body, "") };
}

/** Parses a tree; entries keep their order. @throws GitPackError when it is truncated */
export function parseTree(bytes: Uint8Array, format: ObjectFormat): TreeEntry[] {
  return parseRawTree(bytes, format).map((entry) => {
    const kind = kindOf(entry);
    const isExecutable = kind === "file" && (modeOf(entry) & 0o100) !== 0;
    return { name: utf8.decode(entry.name), kind, isExecutable, oid: entry.oid };
  });
}

/** Parses a tree without losing anything. @throws GitPackError when it is truncated */
export function parseRawTree(bytes: Uint8Array, format: ObjectFormat): RawEntry[] {
  const width = oidLength(format);
  const entries: RawEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const zero = bytes.indexOf(0, space);
    if (space < 0 || zero < 0 || zero + 1 + width > bytes.length)
      throw new GitPackError("malformed", "A folder of the repository is cut off");
    entries.push({
      mode: latin1.decode(bytes.subarray(at, space)),
      name: bytes.slice(space + 1, zero),
      oid: toHex(bytes.subarray(zero + 1, zero + 1 + width)),
    });
    at = zero + 1 + width;
  }
  return entries;
}

const utf8 = new TextDecoder();
const latin1 = new TextDecoder("latin1");
const modeOf = ({ mode }: Pick<RawEntry, "mode">) => Number.parseInt(mode, 8);

/** The kind of an entry. Old programs wrote a folder's mode with a zero before it. */
export function kindOf(entry: Pick<RawEntry, "mode">): TreeEntryKind {
  switch (modeOf(entry) & 0o170000) {
    case 0o040000:
      return "folder";
    case 0o120000:
      return "link";
    case 0o160000:
      return "submodule";
    default:
      return "file";
  }
}

/**
 * Parses lines `key value` up to the first empty one. A line that starts with a space continues a value that nobody
 * reads, e.g. a signature. Its key is empty, so it is not mistaken for another header.
 */
function splitHeaders(bytes: Uint8Array): { headers: [string, string][]; body: Uint8Array } {
  const headers: [string, string][] = [];
  let at = 0;
  while (at < bytes.length) {
    const found = bytes.indexOf(0x0a, at);
    const end = found < 0 ? bytes.length : found;
    if (end === at) return { headers, body: bytes.subarray(at + 1) };
    const line = utf8.decode(bytes.subarray(at, end));
    const space = line.indexOf(" ");
    headers.push(space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)]);
    at = end + 1;
  }
  return { headers, body: new Uint8Array(0) };
}

function parseSignature(text: string): GitSignature {
  const match = /^([^<\n]*?) ?<([^>]*)>(?: (-?\d+)(?: [+-]\d+)?)?/.exec(text);
  const seconds = Number(match?.[3] ?? 0);
  const at = Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 0), 8.64e15) : 0;
  return { name: match?.[1]?.trim() ?? "", email: match?.[2] ?? "", at };
}

/** Commits may declare an encoding; encodings that the runtime does not support are read as UTF-8. */
function decode(bytes: Uint8Array, encoding: string): string {
  if (encoding === "") return utf8.decode(bytes);
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return utf8.decode(bytes);
  }
}
