import { afterEach, expect, test } from "vitest";
import { plantMutants } from "./plant.ts";
import { SWITCH, weaveMutants } from "./weave.ts";

afterEach(() => {
  Reflect.deleteProperty(globalThis, SWITCH);
});

const SOURCE = "let x = 0; x = 4; if (a < b && b < 9) { x = 3; } return x - a;";
const planted = plantMutants("example.ts", `() => { ${SOURCE} }`).map((mutant, id) => ({ ...mutant, id }));

/** The result of the woven source with one mutant active. */
function answer(activeId: number | null, a: number, b: number): number {
  Object.assign(globalThis, { [SWITCH]: (id: number) => id === activeId });
  const woven = weaveMutants(`() => { ${SOURCE} }`, planted);
  return new Function("a", "b", `return (${woven})()`)(a, b);
}

test("without an active mutant the woven source behaves like the original", () => {
  expect(answer(null, 1, 2)).toBe(2);
  expect(answer(null, 2, 1)).toBe(2);
});

test("each mutant alone has its effect, also inside another", () => {
  for (const { id, start, end, mutated } of planted) {
    const changed = `() => { ${SOURCE} }`;
    const alone = `${changed.slice(0, start)}${mutated}${changed.slice(end)}`;
    for (const [a, b] of [
      [1, 2],
      [2, 2],
      [2, 9],
      [3, 12],
    ] as const) {
      expect(answer(id, a, b)).toEqual(new Function("a", "b", `return (${alone})()`)(a, b));
    }
  }
  expect(planted.length).toBeGreaterThan(8);
});

test("without a switch, as in a file loaded by another process, no mutant is active", () => {
  const woven = weaveMutants(`() => { ${SOURCE} }`, planted);
  expect(new Function("a", "b", `return (${woven})()`)(1, 2)).toBe(2);
});
