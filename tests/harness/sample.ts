/**
 * Which part of a sweep a run does. A usual run takes a sample that moves on with the commit, so that some dozen
 * commits visit everything; `HOLDFAST_DEEP=1` (`npm run test:deep`) takes all of it. The settings come from
 * `sweep-settings.ts`, because there is neither git nor a file system inside workerd.
 */

/** The number by which samples move: `HOLDFAST_SWEEP_SEED`, hexadecimal. @throws Error when it is no such number */
export function sweepSeed(): number {
  const text = process.env.HOLDFAST_SWEEP_SEED ?? "";
  if (!/^[0-9a-f]{1,8}$/i.test(text))
    throw new Error(`HOLDFAST_SWEEP_SEED must be one to eight hexadecimal digits, not “${text}”`);
  return Number.parseInt(text, 16);
}

/** Whether this run does every sweep whole. */
export const isDeep = () => process.env.HOLDFAST_DEEP === "1";

/** Whether a sample of one in `parts` takes the entry with this index. A deep run takes every entry. */
export const isSampled = (index: number, parts: number, seed = sweepSeed()) =>
  isDeep() || index % parts === seed % parts;

/**
 * At most `count` entries of a list, in their order. It takes every n-th entry and starts one further for every next
 * seed, so that n seeds in a row visit each entry once; picks by chance would leave some out for long.
 */
export function sampleOf<T>(list: readonly T[], count: number, seed = sweepSeed()): T[] {
  const parts = Math.max(1, Math.ceil(list.length / count));
  return list.filter((_, index) => isSampled(index, parts, seed));
}

/** The points of a sweep over 1 … `last`: always the first and the last one, and a sample of at most `count` between them. */
export function samplePoints(last: number, count: number, seed = sweepSeed()): number[] {
  const between = Array.from({ length: Math.max(0, last - 2) }, (_, index) => index + 2);
  return last < 1 ? [] : [...new Set([1, ...sampleOf(between, count, seed), last])];
}

/** What a failed test of a sample must say: how the same sample comes again. */
export const howToRepeat = () =>
  isDeep() ? "repeat with HOLDFAST_DEEP=1" : `repeat with HOLDFAST_SWEEP_SEED=${sweepSeed().toString(16)}`;

/** Runs what a sample has chosen. An error tells how to repeat it. */
export async function sweep<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof Error) cause.message = `${cause.message} (${howToRepeat()})`;
    throw cause;
  }
}
