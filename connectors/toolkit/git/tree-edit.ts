import { Buffer } from "node:buffer";
import { concatBytes, fromHex, utf8 } from "#core/kernel/crypto.ts";
import { kindOf, type RawEntry } from "./parse-object.ts";

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
  return kindOf(entry) === "folder" ? concatBytes(entry.name, utf8("/")) : entry.name;
}
