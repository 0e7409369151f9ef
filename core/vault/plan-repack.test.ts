import { expect, test } from "vitest";
import { planRepack } from "./plan-repack.ts";

test("packs with less than half of their bytes in use are repacked; chunks count as in use", () => {
  const packs = [
    { id: "dead", sizeBytes: 100, aliveBytes: 0, recordBytes: 0 },
    { id: "half", sizeBytes: 100, aliveBytes: 50, recordBytes: 50 },
    { id: "chunks", sizeBytes: 100, aliveBytes: 100, recordBytes: 49 },
  ];
  expect(planRepack(packs)).toEqual([]);
  const sparse = { id: "sparse", sizeBytes: 100, aliveBytes: 49, recordBytes: 49 };
  expect(planRepack([...packs, sparse])).toEqual(["chunks", "sparse"]);
});
