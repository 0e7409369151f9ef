import { Buffer } from "node:buffer";
import type { ObjectFormat } from "./object-format.ts";

/** A ref of a repository. `peeled` is the object that an annotated tag finally points to. */
export type GitRef = { name: string; oid: string; peeled?: string };

/** HEAD: its branch and the object there. Both null = no HEAD; `oid` null = the branch is unborn. */
export type GitHead = { target: string | null; oid: string | null };

/** Everything that the server reported about the refs. */
export type RefListing = {
  head: GitHead;
  /** Sorted by the bytes of their names. */
  refs: GitRef[];
  objectFormat: ObjectFormat;
  /** Refs whose names git itself would refuse, and why; they can be neither stored nor pushed. */
  rejected: { name: string; reason: string }[];
  /** Names that are not UTF-8, as spelled here: each invalid byte as `%FC`. */
  respelt: string[];
};

/** The refs that a platform creates itself. */
export type PlatformRefs = {
  /** Folder of the refs for proposed changes, e.g. `refs/pull/`; null = it has none. */
  proposals: string | null;
  /** Folders of the platform's internal refs, e.g. `refs/keep-around/`. */
  own: readonly string[];
};

/**
 * Whether a backup keeps the ref. It keeps everything that people have pushed, in any folder, and the heads of
 * proposed changes, which are the only copy of a fork's commits. It omits a platform's test merges (`…/N/merge`),
 * which change every day, and its internal refs.
 */
export function isKeptRef(name: string, { proposals, own }: PlatformRefs): boolean {
  if (proposals !== null && name.startsWith(proposals)) return proposalNumber(name, proposals) !== null;
  return /^refs\/./.test(name) && !own.some((folder) => name.startsWith(folder));
}

/** The number of the proposed change if the ref is its head, or null. */
export function proposalNumber(name: string, proposals: string): string | null {
  if (!name.startsWith(proposals)) return null;
  return /^([0-9]+)\/head$/.exec(name.slice(proposals.length))?.[1] ?? null;
}

/**
 * Why git would refuse the name, or null when it is valid (git: `git check-ref-format`). Applied to every received
 * name, because names become lines of `packed-refs`.
 */
export function refNameProblem(name: string): string | null {
  if (name.length === 0) return "it is empty";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- the pattern detects control characters
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
