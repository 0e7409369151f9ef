/** Takes `count` entries spread evenly over the list. The seed selects the first one. */
export function sampleMutants<T>(list: readonly T[], count: number, seed: number): T[] {
  if (list.length <= count) return [...list];
  // Consecutive seeds start far from each other.
  const shift = (Math.imul(seed, 0x9e3779b1) >>> 0) % list.length;
  return Array.from({ length: count }, (_, n) => list[Math.floor((n * list.length + shift) / count)]!);
}
