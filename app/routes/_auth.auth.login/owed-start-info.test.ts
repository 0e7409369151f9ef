import { expect, test } from "vitest";
import { oweStartInfo, TEST_LOADING_KEY } from "./owed-start-info.ts";

/** A storage, a server that fails `refusals` times, and a clock that only records the requested waits. */
function world(refusals: number) {
  const kept = new Map<string, string>();
  const waits: number[] = [];
  let asked = 0;
  const done = oweStartInfo(
    { setItem: (key, value) => void kept.set(key, value), removeItem: (key) => void kept.delete(key) },
    {
      load: async () => {
        asked += 1;
        if (asked <= refusals) throw new Error("403");
      },
      wait: async (ms) => void waits.push(ms),
    },
  );
  return { kept, waits, done, asked: () => asked };
}

test("[A-235] the flag stays while the start information is requested again, and is removed on success", async () => {
  const { kept, waits, done, asked } = world(1);
  expect(kept.get(TEST_LOADING_KEY)).toBe("true");
  expect(await done).toBe(true);
  expect(asked()).toBe(2);
  expect(waits).toEqual([2_000, 10_000]);
  expect(kept.has(TEST_LOADING_KEY)).toBe(false);
});

test("after three refusals there are no more requests and the flag stays", async () => {
  const { kept, done, asked } = world(9);
  expect(await done).toBe(false);
  expect(asked()).toBe(3);
  expect(kept.get(TEST_LOADING_KEY)).toBe("true");
});
