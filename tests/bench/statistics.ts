/** The median of the values; of an even number, the mean of the middle two. @throws RangeError without values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("nothing was measured");
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The measurements of both sides in one round, in the same unit. */
export type Pair = { ours: number; theirs: number };

/** A reported ratio. */
export type Ratio = { median: number; least: number; most: number };

/**
 * The median of the ratios of all rounds. Both sides of a round run within seconds of each other, on an equally busy
 * machine, so a disturbance of one round does not move the median.
 *
 * @throws RangeError without rounds, or when `theirs` is not positive in one
 */
export function ratioOf(pairs: readonly Pair[]): Ratio {
  const ratios = pairs.map(({ ours, theirs }) => {
    if (!(theirs > 0)) throw new RangeError("the other side measured nothing");
    return ours / theirs;
  });
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/**
 * Largest over smallest: how much a cost grows with a size that should not matter. @throws RangeError without values
 */
export function spreadOf(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("nothing was measured");
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (most === least) return 1;
  if (!(least > 0)) throw new RangeError("a cost of nothing has no ratio");
  return most / least;
}
