import { invariant } from "#core/kernel/invariant.ts";

const MAX_PATH_BYTES = 1_024;

/**
 * Checks the path of an entry: 1 to 1,024 UTF-8 bytes, well-formed, no NUL. Everything else, including `..`, is the
 * platform's data and stored unchanged. Paths are made safe only on output (the ZIP).
 * @throws InvariantError
 */
export function assertPath(path: string): void {
  const isSound = path.length > 0 && path.isWellFormed() && !path.includes("\0");
  // A UTF-16 unit takes at most three bytes, so short paths need not be encoded to measure them.
  const isShort = path.length * 3 <= MAX_PATH_BYTES || Buffer.byteLength(path) <= MAX_PATH_BYTES;
  invariant(isSound && isShort, `the entry path ${JSON.stringify(path.slice(0, 100))} is not allowed`);
}

/** Compares strings by their UTF-8 bytes, which is also code point order. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** UTF-16 sorts surrogates (code points above U+FFFF) before U+E000 to U+FFFF; UTF-8 sorts them after. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
