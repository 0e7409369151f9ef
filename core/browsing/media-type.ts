const MAGIC: readonly [mediaType: string, at: number, bytes: readonly number[]][] = [
  ["image/png", 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", 0, [0xff, 0xd8, 0xff]],
  ["image/gif", 0, [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", 8, [0x57, 0x45, 0x42, 0x50]],
];

/**
 * The media type of an image, from its first bytes; null for anything else. Never uses the name, and knows only types
 * that cannot contain a program: SVG is text with scripts, and is shown as text.
 */
export function mediaTypeOfImage(head: Uint8Array): string | null {
  const found = MAGIC.find(([, at, bytes]) => bytes.every((byte, i) => head[at + i] === byte));
  return found?.[0] ?? null;
}
