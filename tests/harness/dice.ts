/** Returns a number from 0 to below `sides`. */
export type Dice = (sides: number) => number;

/** A small seeded generator, so that a random sequence can be repeated. */
export function dice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
