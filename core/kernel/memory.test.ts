import { expect, test } from "vitest";
import { createMemory } from "./memory.ts";

test("concurrent and later callers share one read per key", async () => {
  const memory = createMemory();
  let reads = 0;
  const read = async () => ++reads;
  expect(await Promise.all([memory("a", read), memory("a", read), memory("b", read)])).toEqual([1, 1, 2]);
  expect(await memory("a", read)).toBe(1);
});

test("a failed read is retried", async () => {
  const memory = createMemory();
  await expect(memory("a", () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await memory("a", async () => 7)).toBe(7);
});

test("requests do not share memory", async () => {
  await createMemory()("a", async () => 1);
  expect(await createMemory()("a", async () => 2)).toBe(2);
});
