import { expect, test } from "vitest";
import { createPayloadCache } from "./payload-cache.ts";

const kept = (cache: ReturnType<typeof createPayloadCache>, indexes: readonly number[]) =>
  indexes.filter((index) => cache.get(index) !== undefined);

test("the least recently used objects make room for new ones", () => {
  const cache = createPayloadCache(30);
  for (const index of [1, 2, 3]) cache.set(index, new Uint8Array(10));
  expect(cache.get(1)?.length).toBe(10);
  cache.set(4, new Uint8Array(10));
  expect(kept(cache, [1, 2, 3, 4])).toEqual([1, 3, 4]);
  cache.set(5, new Uint8Array(20));
  expect(kept(cache, [1, 3, 4, 5])).toEqual([4, 5]);
});

test("an object that is set again counts once", () => {
  const cache = createPayloadCache(30);
  cache.set(1, new Uint8Array(10));
  cache.set(2, new Uint8Array(10));
  cache.set(1, new Uint8Array(20));
  expect(kept(cache, [1, 2])).toEqual([1, 2]);
  cache.set(1, new Uint8Array(5));
  cache.set(3, new Uint8Array(15));
  expect(kept(cache, [1, 2, 3])).toEqual([1, 2, 3]);
});

test("the newest object stays, however large; an emptied cache has its whole room again", () => {
  const cache = createPayloadCache(30);
  cache.set(1, new Uint8Array(10));
  cache.set(2, new Uint8Array(100));
  expect(kept(cache, [1, 2])).toEqual([2]);
  cache.clear();
  expect(cache.get(2)).toBeUndefined();
  for (const index of [3, 4, 5]) cache.set(index, new Uint8Array(10));
  expect(kept(cache, [3, 4, 5])).toEqual([3, 4, 5]);
});
