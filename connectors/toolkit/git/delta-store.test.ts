import { expect, test } from "vitest";
import { createDeltaStore } from "./delta-store.ts";

const KIB = 1024;
const filled = (length: number, value: number) => new Uint8Array(length).fill(value);
const isFilled = (bytes: Uint8Array | null, length: number, value: number) =>
  bytes !== null && Buffer.compare(bytes, filled(length, value)) === 0;

test("thousands of deltas are found by their index, and no other index is", () => {
  const store = createDeltaStore(1024 * KIB);
  for (let number = 0; number < 4_000; number++) {
    store.put(number * 3 + 1, Uint8Array.of(number >> 8, number & 255, 7).subarray(0, 2 + (number % 2)));
  }
  for (let number = 0; number < 4_000; number++) {
    const expected = [number >> 8, number & 255, 7].slice(0, 2 + (number % 2));
    if (String(store.get(number * 3 + 1)) !== String(expected)) throw new Error(`${number} is another delta`);
    if (store.get(number * 3) !== null) throw new Error(`${number * 3} was never kept`);
  }
  expect(store.get(12_001)).toBeNull();
  expect(createDeltaStore(KIB).get(0)).toBeNull();
});

test("the memory grows with the deltas and keeps what it has", () => {
  const store = createDeltaStore(1024 * KIB);
  for (let number = 0; number < 60; number++) store.put(number, filled(16 * KIB, number));
  for (let number = 0; number < 60; number++)
    expect(isFilled(store.get(number), 16 * KIB, number)).toBe(true);
});

test("a delta is kept as a copy if it is small and fits in what is left, with eight bytes for its row", () => {
  const store = createDeltaStore(200);
  const bytes = filled(84, 1);
  store.put(1, bytes);
  bytes.fill(9);
  expect(store.get(1)).toEqual(filled(84, 1));
  store.put(2, filled(101, 2));
  expect(store.get(2)).toBeNull();
  store.put(3, filled(100, 3));
  expect(store.get(3)).toEqual(filled(100, 3));
  const roomy = createDeltaStore(1024 * KIB);
  roomy.put(1, new Uint8Array(0));
  roomy.put(2, filled(16 * KIB + 1, 2));
  roomy.put(3, filled(16 * KIB, 3));
  expect([roomy.get(1), roomy.get(2), roomy.get(3)?.length]).toEqual([null, null, 16 * KIB]);
});

test("a fraction of a byte as the limit is no fault", () => {
  const store = createDeltaStore(100.75);
  store.put(1, filled(92, 1));
  expect(store.get(1)).toEqual(filled(92, 1));
});
