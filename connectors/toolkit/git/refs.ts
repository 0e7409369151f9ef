import { Buffer } from "node:buffer";
import type { ObjectFormat } from "./object-format.ts";

/** One ref of a repository. `peeled` is the object that an annotated tag points to in the end. */
export type GitRef = { name: string; oid: string; peeled?: string };

/** HEAD: the branch it follows and the object there. Both null = no HEAD; `oid` null = the branch is unborn. */
export type GitHead = { target: string | null; oid: string | null };

/** Everything the server told about the refs. */
export type RefListing = {
  head: GitHead;
  /** Sorted by the bytes of their names. */
  refs: GitRef[];
  objectFormat: ObjectFormat;
  /** Refs whose names git itself would refuse, and why; they cannot be stored or pushed. */
  rejected: { name: string; reason: string }[];
  /** Names whose bytes are no UTF-8, as they are spelt here: each strange byte as `%FC`. */
  respelt: string[];
};

/** Which refs a platform makes itself. */
export type PlatformRefs = {
  /** Folder of the refs for proposed changes, e.g. `refs/pull/`; null = it has none. */
  proposals: string | null;
  /** Folders of what the platform holds for itself, e.g. `refs/keep-around/`. */
  own: readonly string[];
};

/**
 * Whether a backup keeps the ref: whatever people have pushed, in whichever folder, and the heads of proposed changes,
 * which are the only copy of a fork's commits. A platform's test merges (`…/N/merge`) change every day, so they are left
 * out, and so is what it holds for itself.
 */
export function isKeptRef(name: string, { proposals, own }: PlatformRefs): boolean {
  if (proposals !== null && name.startsWith(proposals)) return proposalNumber(name, proposals) !== null;
  return /^refs\/./.test(name) && !own.some((folder) => name.startsWith(folder));
}

/** The number of the proposed change whose head the ref is, or null. */
export function proposalNumber(name: string, proposals: string): string | null {
  if (!name.startsWith(proposals)) return null;
  return /^([0-9]+)\/head$/.exec(name.slice(proposals.length))?.[1] ?? null;
}

/**
 * Why git would refuse the name, or null when it is sound (git: `git check-ref-format`). Applied to every name
 * from the wire, because names become lines of `packed-refs`.
 */
export function refNameProblem(name: string): string | null {
  if (name.length === 0) return "it is empty";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- control characters are what is looked for
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(name)) return "it holds a character that git forbids";
  if (!name.startsWith("refs/")) return "it lies outside refs/";
  if (name.includes("..") || name.includes("@{")) return "it holds '..' or '@{'";
  if (name.endsWith(".")) return "it ends with a dot";
  for (const part of name.split("/")) {
    if (part === "") return "it has an empty part";
    if (part.startsWith(".")) return "one of its parts begins with a dot";
    if (part.endsWith(".lock")) return "one of its parts ends with .lock";
  }
  return null;
}

/** Orders names as git does: by their UTF-8 bytes. */
export function compareRefNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
