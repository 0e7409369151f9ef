/** The requested place of a thing among its siblings. */
export type Place = number | "top" | "bottom";

const STEP = 65_536;

/** The position that Trello assigns: `top` is half of the first, `bottom` a step after the last. */
export function placeAmong(siblings: readonly { pos: number }[], place: Place): number {
  if (typeof place === "number") return place;
  if (siblings.length === 0) return STEP;
  const positions = siblings.map(({ pos }) => pos);
  const pick = place === "top" ? Math.min : Math.max;
  const edge = positions.reduce((one, other) => pick(one, other));
  return place === "top" ? edge / 2 : edge + STEP;
}

/** Siblings sorted by `pos`. */
export function inOrder<T extends { pos: number }>(things: readonly T[]): T[] {
  return [...things].sort((one, other) => one.pos - other.pos);
}
