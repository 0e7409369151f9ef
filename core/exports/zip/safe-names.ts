/**
 * Names that every unpacking tool on every system can create, inside its target folder. Platforms allow names that are
 * harmless to them but dangerous in an archive; this module makes them safe. No two paths get the same name, not even
 * on a file system that ignores case or Unicode form.
 */
import { sha256Hex, utf8 } from "#core/kernel/crypto.ts";
import { hashTable } from "./hash-table.ts";

const MAX_SEGMENT_BYTES = 180;
const MAX_NAME_BYTES = 800;
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
/** Characters that Windows forbids, control characters, and invisible ones that reverse or hide text. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}<>:"|?*\\\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
const FORBIDDEN_ONCE = new RegExp(FORBIDDEN.source, "u");

/** Names for the archive. */
export type SafeNames = {
  /** The name of each path, in the order of the paths. */
  names: string[];
  /** The paths that were renamed, for the README. */
  renamed: { path: string; name: string }[];
};

/**
 * Names for paths; a path that ends in `/` is a directory. A safe path keeps its name, unless it differs from an
 * earlier one only by case or Unicode form. Any other gets a cleaned name with digits of its own hash. The paths must
 * be unique.
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

/**
 * Names paths one after another by the same rules. A path that is safe by itself is renamed if an earlier one that was
 * not got its name.
 */
export function openNames(): (path: string) => Promise<string> {
  const taken = createTaken();
  return async (path) => (isSafe(path) && taken.claim(path) ? path : await freeName(path, taken));
}

/** True when the path can be created unchanged on every system. */
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

/** A free, safe name similar to the path. If it is taken, more digits of the hash are added. */
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
    // A parent that is also a file cannot be fixed by another last segment.
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

/** The outer folders, as many as leave room for the name. */
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

/** The start of a text, at most `maxBytes` long, without a trailing dot or space. */
function shortened(text: string, maxBytes: number): string {
  let short = text;
  while (utf8(short).length > maxBytes) short = short.slice(0, -1).replace(/[\ud800-\udbff]$/, "");
  return short.replace(/(?<![. ])[. ]+$/, "_");
}

/**
 * A name as the least strict file system sees it. Converts to upper case from lower case, because only lower-case
 * letters have all their counterparts (ẞ has none, ß has SS). ext4 and HFS+ also ignore invisible characters.
 */
function folded(name: string): string {
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return visible.toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
}

type Taken = ReturnType<typeof createTaken>;

/** What a name is used as. A folder with its own entry may have only one. */
const USED = { file: 1, directory: 2, explicit: 3 } as const;

/**
 * The names in use, as seen by a file system that ignores case and Unicode form. A file is never also a folder. Remembers
 * hashes of names only, since there may be a million: two names of one hash cost an unneeded new name.
 */
function createTaken() {
  const names = hashTable();
  return {
    claim(name: string): boolean {
      const isDirectory = name.endsWith("/");
      const key = folded(isDirectory ? name.slice(0, -1) : name);
      const folders = [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index));
      const known = names.get(key);
      const isFree = known === 0 || (isDirectory && known === USED.directory);
      if (!isFree || folders.some((folder) => names.get(folder) === USED.file)) return false;
      for (const folder of folders) if (names.get(folder) === 0) names.set(folder, USED.directory);
      names.set(key, isDirectory ? USED.explicit : USED.file);
      return true;
    },
  };
}
