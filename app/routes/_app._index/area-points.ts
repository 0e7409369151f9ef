/**
 * Points of a line through `values`, from left to right. The smallest value is a third of the height above the base, so
 * that small changes can be seen; zeros lie on the base.
 */
export function areaPoints(
  values: readonly number[],
  { width, top, base }: { width: number; top: number; base: number },
): [x: number, y: number][] {
  const most = Math.max(...values, 0);
  const least = Math.min(...values, most);
  const floor = least === 0 ? base : base - (base - top) / 3;
  const range = most - least;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, at) => {
    const y = most === 0 ? base : range === 0 ? top : floor - ((value - least) / range) * (floor - top);
    return [Math.round(at * step * 10) / 10, Math.round(y * 10) / 10];
  });
}
