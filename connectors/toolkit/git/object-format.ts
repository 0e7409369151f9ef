import { createHash } from "node:crypto";
import { concatBytes } from "#core/kernel/crypto.ts";

/** The hash algorithm of a repository's object names (git: `extensions.objectFormat`). */
export type ObjectFormat = "sha1" | "sha256";

/** The four kinds of git object. */
export type GitObjectType = "commit" | "tree" | "blob" | "tag";

/** Length of an object name in bytes: 20 or 32. */
export function oidLength(format: ObjectFormat): 20 | 32 {
  return format === "sha1" ? 20 : 32;
}

/** The name that stands for "no object" in ref updates. */
export function zeroOid(format: ObjectFormat): string {
  return "0".repeat(oidLength(format) * 2);
}

/** Whether a text is a full, lower-case object name of the format. */
export function isOid(text: string, format: ObjectFormat): boolean {
  return text.length === oidLength(format) * 2 && /^[0-9a-f]+$/.test(text);
}

/** Length of a pack's header. */
export const PACK_HEADER_BYTES = 12;

/** The header of a pack with this number of objects (git: gitformat-pack, version 2). */
export function packHeader(objects: number): Uint8Array {
  const header = Uint8Array.of(0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 0);
  new DataView(header.buffer).setUint32(8, objects);
  return header;
}

/** A pack without objects, which a push must contain when the receiver already has every object. */
export function emptyPack(format: ObjectFormat): Uint8Array {
  const header = packHeader(0);
  return concatBytes(header, createHash(format).update(header).digest());
}
