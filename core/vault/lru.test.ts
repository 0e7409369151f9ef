import { expect, test } from "vitest";
import { createLru } from "./lru.ts";

test("when full, it evicts the least recently used entry; reads and writes count as use", () => {
  const values = createLru<number>(2);
  values.set("a", 1);
  values.set("b", 2);
  expect(values.get("a")).toBe(1);
  values.set("c", 3);
  expect(values.get("b")).toBeUndefined();
  expect(values.get("a")).toBe(1);

  values.set("c", 4);
  values.set("d", 5);
  expect(values.get("a")).toBeUndefined();
  expect(values.get("c")).toBe(4);
  expect(values.get("d")).toBe(5);
});

test("looking up a missing key adds nothing", () => {
  const values = createLru<number>(2);
  values.set("a", 1);
  expect(values.get("x")).toBeUndefined();
  values.set("b", 2);
  expect(values.get("a")).toBe(1);
});
