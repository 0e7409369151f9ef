import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { fold } from "#core/kernel/fold.ts";
import { VaultError } from "#core/vault/index.ts";
import { MOST_INDEX_BYTES, MOST_PLAIN_BYTES, SEARCHED_WORDS } from "./limits.ts";

/** A name inside a version: the title of an entry, or the path of a file. */
export type IndexedName = {
  kind: string;
  title: string;
  /** Where it is, as `partPathOf` writes it. */
  path: string;
};

const storedSchema = z.object({
  format: z.literal("holdfast-names"),
  version: z.literal(1),
  names: z.array(z.tuple([z.string(), z.string(), z.string()])),
});

const HEAD = '{"format":"holdfast-names","version":1,"names":[';

/**
 * Encodes names for the vault: JSON as a raw deflate stream. What does not fit is left out from the end. Equal names give
 * equal bytes.
 */
export function encodeNames(
  names: readonly IndexedName[],
  mostBytes: number = MOST_INDEX_BYTES,
): { bytes: Uint8Array; count: number } {
  const rows = names.map(({ kind, title, path }) => JSON.stringify([kind, title, path]));
  const encode = (some: readonly string[]) => utf8(`${HEAD}${some.join(",")}]}`);
  let count = 0;
  // A row is followed by a comma or by the end.
  for (let room = MOST_PLAIN_BYTES - HEAD.length - 2; count < rows.length; count++) {
    room -= utf8(rows[count]!).length + 1;
    if (room < 0) break;
  }
  let bytes = deflateRawSync(encode(rows.slice(0, count)));
  while (bytes.length > mostBytes && count > 0) {
    // A little less than the bytes allow on average, so that few attempts are needed.
    count = Math.floor(count * Math.min(0.95, (0.97 * mostBytes) / bytes.length));
    bytes = deflateRawSync(encode(rows.slice(0, count)));
  }
  return { bytes, count };
}

/** Decodes what `encodeNames` wrote. @throws VaultError `tampered` */
export function decodeNames(bytes: Uint8Array): IndexedName[] {
  try {
    const { names } = storedSchema.parse(
      JSON.parse(fromUtf8(inflateRawSync(bytes, { maxOutputLength: MOST_PLAIN_BYTES }))),
    );
    return names.map(([kind, title, path]) => ({ kind, title, path }));
  } catch (cause) {
    throw new VaultError("tampered", "an index of names has an unknown form", { cause });
  }
}

/** The words that a name must contain, without regard to case and accents. */
export function searchedWords(text: string): string[] {
  return fold(text).split(/\s+/).filter(Boolean).slice(0, SEARCHED_WORDS);
}

/**
 * The names that contain every word, anywhere. Those that begin with the first word come first, else they keep their
 * order. For a file, its own name counts as the beginning.
 */
export function matchNames(
  names: readonly IndexedName[],
  words: readonly string[],
  limit: number,
): { names: IndexedName[]; hasMore: boolean } {
  const first = words[0] ?? "";
  const leading: IndexedName[] = [];
  const others: IndexedName[] = [];
  for (const name of names) {
    const folded = fold(name.title);
    if (!words.every((word) => folded.includes(word))) continue;
    const isLeading = folded.startsWith(first, folded.lastIndexOf("/") + 1) || folded.startsWith(first);
    (isLeading ? leading : others).push(name);
  }
  const found = [...leading, ...others];
  return { names: found.slice(0, limit), hasMore: found.length > limit };
}
