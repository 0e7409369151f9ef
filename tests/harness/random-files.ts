/** Incompressible files for the GitHub simulator's `files` order, which generates their bytes. */
export function randomFiles(count: number, bytes: number): { path: string; randomBytes: number }[] {
  return Array.from({ length: count }, (_, i) => ({ path: `noise-${i}.bin`, randomBytes: bytes }));
}
