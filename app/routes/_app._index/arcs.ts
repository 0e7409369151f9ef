/** A part of a circle: where it starts and how long it is, along the line. */
export type Arc = { start: number; length: number };

/** Divides a circle of length `round` by counts, with gaps between the parts. A part of nothing is null. */
export function arcsOf(
  counts: readonly number[],
  { round, gap }: { round: number; gap: number },
): (Arc | null)[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  const hasGaps = counts.filter((count) => count > 0).length > 1;
  let start = 0;
  return counts.map((count) => {
    if (count === 0) return null;
    const whole = (count / sum) * round;
    const arc = { start: rounded(start), length: rounded(Math.max(1, whole - (hasGaps ? gap : 0))) };
    start += whole;
    return arc;
  });
}

const rounded = (value: number) => Math.round(value * 10) / 10;
