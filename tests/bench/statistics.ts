/** The middle of the values: of an even number of them, the mean of the two in the middle. @throws RangeError without values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("nothing was measured");
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Two sides of one round, in any unit that both share. */
export type Pair = { ours: number; theirs: number };

/** A ratio as it is reported. */
export type Ratio = { median: number; least: number; most: number };

/**
 * The ratio of each round (both sides ran within seconds of each other, on an equally busy machine), then the
 * median of them: a disturbance of one round does not move it.
 *
 * @throws RangeError without rounds, or when the other side of one measured nothing
 */
export function ratioOf(pairs: readonly Pair[]): Ratio {
  const ratios = pairs.map(({ ours, theirs }) => {
    if (!(theirs > 0)) throw new RangeError("the other side measured nothing");
    return ours / theirs;
  });
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** Largest over smallest: how much a cost grows with a size that should not matter. @throws RangeError */
export function spreadOf(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("nothing was measured");
  const least = Math.min(...values);
  const most = Math.max(...values);
  if (most === least) return 1;
  if (!(least > 0)) throw new RangeError("a cost of nothing has no ratio");
  return most / least;
}
