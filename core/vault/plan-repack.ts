/**
 * Packs worth rewriting: those of which living manifests use less than half. An unused pack is prune's. Rewriting one
 * pack makes chunks and roots of others worthless, so once there is anything to do, packs that live mostly by those
 * go along: otherwise two packs could make each other sparse for ever.
 */
export function planRepack(
  packs: readonly { id: string; sizeBytes: number; aliveBytes: number; recordBytes: number }[],
): string[] {
  const used = packs.filter(({ aliveBytes }) => aliveBytes > 0);
  const isWorthIt = used.some(({ sizeBytes, aliveBytes }) => aliveBytes * 2 < sizeBytes);
  if (!isWorthIt) return [];
  return used.filter(({ sizeBytes, recordBytes }) => recordBytes * 2 < sizeBytes).map(({ id }) => id);
}
