import { Buffer } from "node:buffer";
import { concatBytes, fromHex, toHex, utf8 } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";

/** An entry of a tree as git stores it: mode in octal digits, and a name that may not be UTF-8. */
export type RawEntry = { mode: string; name: Uint8Array; oid: string };

const OID_BYTES = 20;
const FOLDER = "40000";
const SUBMODULE = "160000";

export const isFolder = ({ mode }: Pick<RawEntry, "mode">) => mode === FOLDER;
export const isSubmodule = ({ mode }: Pick<RawEntry, "mode">) => mode === SUBMODULE;

/** Reads a tree of SHA-1 names without losing anything. @throws GitPackError when it is cut off */
export function readEntries(tree: Uint8Array): RawEntry[] {
  const entries: RawEntry[] = [];
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(0x20, at);
    const zero = tree.indexOf(0, space);
    if (space < 0 || zero < 0 || zero + 1 + OID_BYTES > tree.length)
      throw new GitPackError("malformed", "A folder of the repository is cut off");
    entries.push({
      mode: Buffer.from(tree.subarray(at, space)).toString("latin1"),
      name: tree.slice(space + 1, zero),
      oid: toHex(tree.subarray(zero + 1, zero + 1 + OID_BYTES)),
    });
    at = zero + 1 + OID_BYTES;
  }
  return entries;
}

/** Writes a tree with the entry in the place of any other of its name; the rest stays as it is, byte for byte. */
export function withEntry(entries: readonly RawEntry[], entry: RawEntry): Uint8Array {
  const others = entries.filter(({ name }) => Buffer.compare(name, entry.name) !== 0);
  const later = others.findIndex((other) => Buffer.compare(sortKey(other), sortKey(entry)) > 0);
  const at = later < 0 ? others.length : later;
  const all = [...others.slice(0, at), entry, ...others.slice(at)];
  const nul = new Uint8Array(1);
  return concatBytes(...all.flatMap(({ mode, name, oid }) => [utf8(`${mode} `), name, nul, fromHex(oid)]));
}

/** Git sorts a folder as if its name ended with a slash (git: read-cache.c, `base_name_compare`). */
function sortKey(entry: RawEntry): Uint8Array {
  return isFolder(entry) ? concatBytes(entry.name, utf8("/")) : entry.name;
}
