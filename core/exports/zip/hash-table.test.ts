import fc from "fast-check";
import { expect, test } from "vitest";
import { hashTable } from "./hash-table.ts";

test("a table has what was set last, as a map does", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.integer({ min: 1, max: 255 }))), (pairs) => {
      const [table, map] = [hashTable(), new Map<string, number>()];
      for (const [text, value] of pairs) {
        expect(table.get(text)).toBe(map.get(text) ?? 0);
        table.set(text, value);
        map.set(text, value);
      }
      for (const [text, value] of map) expect(table.get(text)).toBe(value);
    }),
  );
});

test("a hundred thousand names of one form have different hashes", () => {
  const table = hashTable();
  let taken = 0;
  for (let number = 0; number < 100_000; number++) {
    const name = `metadata/cards/6a5b${number.toString(16).padStart(20, "0")}/card.json`;
    if (table.get(name) !== 0) taken += 1;
    table.set(name, 1 + (number % 255));
  }
  expect(taken).toBe(0);
  expect(table.get("metadata/cards")).toBe(0);
});
