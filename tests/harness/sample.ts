/**
 * Selects the part of a sweep that a run does. A normal run takes a sample that moves with each commit, so that a few
 * dozen commits cover everything. `HOLDFAST_DEEP=1` (`npm run test:deep`) takes all of it. The settings come from
 * `sweep-settings.ts`, because workerd has neither git nor a file system.
 */

/** The seed of samples: `HOLDFAST_SWEEP_SEED`, hexadecimal. @throws Error when it is not such a number */
export function sweepSeed(): number {
  const text = process.env.HOLDFAST_SWEEP_SEED ?? "";
  if (!/^[0-9a-f]{1,8}$/i.test(text))
    throw new Error(`HOLDFAST_SWEEP_SEED must be one to eight hexadecimal digits, not “${text}”`);
  return Number.parseInt(text, 16);
}

/** Whether this run does every sweep in full. */
export const isDeep = () => process.env.HOLDFAST_DEEP === "1";

/** Whether a sample of one in `parts` includes this index. A deep run includes every index. */
export const isSampled = (index: number, parts: number, seed = sweepSeed()) =>
  isDeep() || index % parts === seed % parts;

/**
 * At most `count` entries of a list, in their order. Takes every n-th entry and starts one further with each seed, so
 * that n consecutive seeds visit each entry once. Random picks would leave some out for long.
 */
export function sampleOf<T>(list: readonly T[], count: number, seed = sweepSeed()): T[] {
  const parts = Math.max(1, Math.ceil(list.length / count));
  return list.filter((_, index) => isSampled(index, parts, seed));
}

/** The points of a sweep over 1 … `last`: the first, the last, and a sample of at most `count` between them. */
export function samplePoints(last: number, count: number, seed = sweepSeed()): number[] {
  const between = Array.from({ length: Math.max(0, last - 2) }, (_, index) => index + 2);
  return last < 1 ? [] : [...new Set([1, ...sampleOf(between, count, seed), last])];
}

/** How to repeat the sample. Part of the message of a failed test. */
export const howToRepeat = () =>
  isDeep() ? "repeat with HOLDFAST_DEEP=1" : `repeat with HOLDFAST_SWEEP_SEED=${sweepSeed().toString(16)}`;

/** Runs the sampled cases. An error says how to repeat them. */
export async function sweep<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof Error) cause.message = `${cause.message} (${howToRepeat()})`;
    throw cause;
  }
}
