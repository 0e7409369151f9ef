/** Files that no compression makes smaller, as the GitHub simulator's `files` order wants them: it makes them itself. */
export function randomFiles(count: number, bytes: number): { path: string; randomBytes: number }[] {
  return Array.from({ length: count }, (_, i) => ({ path: `noise-${i}.bin`, randomBytes: bytes }));
}
