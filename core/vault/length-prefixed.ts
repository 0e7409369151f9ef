import { concatBytes, utf8 } from "#core/kernel/crypto.ts";

/**
 * Encodes each string as four bytes of length (big-endian) followed by its UTF-8 bytes. No two lists have the same
 * encoding.
 */
export function lengthPrefixed(...texts: string[]): Uint8Array<ArrayBuffer> {
  return concatBytes(
    ...texts.flatMap((text) => {
      const bytes = utf8(text);
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.length);
      return [length, bytes];
    }),
  );
}
