/**
 * Returns the packs worth rewriting: those of which manifests use less than half. Prune removes unused packs. Rewriting
 * one pack makes chunks and roots in other packs obsolete, so packs that mainly hold those are rewritten too. Otherwise
 * two packs could make each other sparse indefinitely.
 */
export function planRepack(
  packs: readonly { id: string; sizeBytes: number; aliveBytes: number; recordBytes: number }[],
): string[] {
  const used = packs.filter(({ aliveBytes }) => aliveBytes > 0);
  const isWorthIt = used.some(({ sizeBytes, aliveBytes }) => aliveBytes * 2 < sizeBytes);
  if (!isWorthIt) return [];
  return used.filter(({ sizeBytes, recordBytes }) => recordBytes * 2 < sizeBytes).map(({ id }) => id);
}
