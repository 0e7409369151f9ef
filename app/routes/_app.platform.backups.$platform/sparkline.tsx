const WIDTH = 132;
const HEIGHT = 32;
const PAD = 3;

/**
 * A line chart of a few values without axes; the figures are shown next to it. Renders nothing for fewer than two
 * values.
 */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const points = sparkPoints(values);
  const last = points.at(-1);
  if (points.length < 2 || last === undefined) return null;
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path d={`M${points.map(([x, y]) => `${x} ${y}`).join(" ")}`} />
      <circle cx={last[0]} cy={last[1]} r="2.5" />
    </svg>
  );
}

/** Coordinates of the values: oldest left, greatest on top. Equal values are centred. */
export function sparkPoints(values: readonly number[]): [number, number][] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  const step = (WIDTH - 2 * PAD) / Math.max(1, values.length - 1);
  return values.map((value, index) => {
    const height = range === 0 ? 0.5 : (value - least) / range;
    return [round(PAD + index * step), round(HEIGHT - PAD - height * (HEIGHT - 2 * PAD))];
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
