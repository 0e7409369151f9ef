/** Files that no compression makes smaller, as a simulator's `files` order wants them. */
export function randomFiles(count: number, bytes: number): { path: string; base64: string }[] {
  return Array.from({ length: count }, (_, i) => ({ path: `noise-${i}.bin`, base64: randomBase64(bytes) }));
}

function randomBase64(length: number): string {
  const bytes = new Uint8Array(length);
  // The runtime gives at most so many at once.
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  let text = "";
  // Whole groups of three, so that the pieces can be joined.
  for (let at = 0; at < length; at += 30_000) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + 30_000)));
  }
  return text;
}
