/**
 * Names that every unpacking tool on every system can create, inside the folder it was told to use. Platforms
 * allow names that are harmless to them and dangerous in an archive; here, where names leave, they become safe.
 * No two paths ever get the same name, not even on a file system that ignores case or Unicode form.
 */
import { sha256Hex, utf8 } from "#core/kernel/crypto.ts";

const MAX_SEGMENT_BYTES = 180;
const MAX_NAME_BYTES = 800;
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
/** Characters that Windows refuses, controls, and the invisible ones that turn text round or hide in it. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}<>:"|?*\\\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
const FORBIDDEN_ONCE = new RegExp(FORBIDDEN.source, "u");

/** Names for the archive. */
export type SafeNames = {
  /** Name of each path, in the order of the paths. */
  names: string[];
  /** What could not keep its path, for the README. */
  renamed: { path: string; name: string }[];
};

/**
 * Names for paths; one that ends in `/` is a directory. A path that is safe keeps its name unless an earlier safe
 * one differs from it only by case or Unicode form; any other gets a cleaned name with digits of its own hash.
 * The paths must be unique.
 */
export async function safeNames(paths: readonly string[]): Promise<SafeNames> {
  const taken = createTaken();
  const names = paths.map((path) => (isSafe(path) && taken.claim(path) ? path : null));
  const renamed: SafeNames["renamed"] = [];
  for (const [i, path] of paths.entries()) {
    if (names[i] !== null) continue;
    const name = await freeName(path, taken);
    names[i] = name;
    renamed.push({ path, name });
  }
  return { names: names as string[], renamed };
}

/** True when a path can be created as it is, everywhere. */
function isSafe(path: string): boolean {
  const bare = path.endsWith("/") ? path.slice(0, -1) : path;
  return bare.length > 0 && utf8(path).length <= MAX_NAME_BYTES && bare.split("/").every(isSafeSegment);
}

function isSafeSegment(segment: string): boolean {
  if (segment === "" || segment === "." || segment === ".." || /[. ]$/.test(segment) || /^ /.test(segment))
    return false;
  if (!segment.isWellFormed() || FORBIDDEN_ONCE.test(segment) || RESERVED.test(segment)) return false;
  return utf8(segment).length <= MAX_SEGMENT_BYTES;
}

/** A safe name near the path that nobody has; the hash in it grows in the unlikely case that it is taken. */
async function freeName(path: string, taken: Taken): Promise<string> {
  const isDirectory = path.endsWith("/");
  const segments = path
    .split("/")
    .map(cleanSegment)
    .filter((segment) => segment !== "");
  const last = segments.pop() ?? "unnamed";
  const parents = fitting(segments);
  const digest = await sha256Hex(utf8(JSON.stringify(path)));
  for (let digits = 8; ; digits += 8) {
    const tag = `~${digest.slice(0, digits)}${"x".repeat(Math.max(0, digits - digest.length))}`;
    const dot = last.lastIndexOf(".");
    const hasSuffix = dot > 0 && last.length - dot <= 12;
    const [stem, suffix] = hasSuffix ? [last.slice(0, dot), last.slice(dot)] : [last, ""];
    const name = [...parents, `${shortened(stem, 80)}${tag}${suffix}`].join("/") + (isDirectory ? "/" : "");
    if (taken.claim(name)) return name;
    // A parent that collides (a file of that name exists) cannot be cured by another last segment.
    if (digits >= 24) parents.splice(0, parents.length, `renamed~${digest.slice(0, 16)}`);
  }
}

function cleanSegment(segment: string): string {
  const plain = segment
    .toWellFormed()
    .normalize("NFC")
    .replace(FORBIDDEN, "_")
    .replace(/^ +/, "_")
    .replace(/(?<![. ])[. ]+$/, "_");
  return shortened(RESERVED.test(plain) ? `_${plain}` : plain, 120);
}

/** The outer folders, as many as leave room for the name itself. */
function fitting(segments: string[]): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const segment of segments) {
    length += utf8(segment).length + 1;
    if (length > MAX_NAME_BYTES - 200) break;
    kept.push(segment);
  }
  return kept;
}

/** The beginning of a text that fits into so many bytes, ending well. */
function shortened(text: string, maxBytes: number): string {
  let short = text;
  while (utf8(short).length > maxBytes) short = short.slice(0, -1).replace(/[\ud800-\udbff]$/, "");
  return short.replace(/(?<![. ])[. ]+$/, "_");
}

/**
 * A name as the least exact of all file systems sees it. Capitals are made from small letters, because only those
 * have all their relatives (ẞ has none, ß has SS); ext4 and HFS+ do not see the characters that nobody sees either.
 */
function folded(name: string): string {
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return visible.toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
}

type Taken = ReturnType<typeof createTaken>;

/** Names in use, as a file system that ignores case and Unicode form sees them; a file is never also a folder. */
function createTaken() {
  const names = new Map<string, "file" | "directory">();
  /** Folders that are entries of their own; a folder is listed at most once. */
  const explicit = new Set<string>();
  return {
    claim(name: string): boolean {
      const isDirectory = name.endsWith("/");
      const key = folded(isDirectory ? name.slice(0, -1) : name);
      const folders = [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index));
      const known = names.get(key);
      const isFree = known === undefined || (isDirectory && known === "directory" && !explicit.has(key));
      if (!isFree || folders.some((folder) => names.get(folder) === "file")) return false;
      for (const folder of folders) names.set(folder, "directory");
      names.set(key, isDirectory ? "directory" : "file");
      if (isDirectory) explicit.add(key);
      return true;
    },
  };
}
