import { expect, test } from "vitest";
import { DEFAULT_PACK_LIMITS, expansionBudget, fitLimits, type PackLimits } from "./pack-limits.ts";

const MIB = 1024 * 1024;
const LIMITS: PackLimits = { ...DEFAULT_PACK_LIMITS, memoryBytes: 96 * MIB };
/** What the tables take for each object of a pack with SHA-1 names, in bytes. */
const PER_OBJECT = 53.2;

function limitsFor(pack: Partial<Parameters<typeof fitLimits>[1]>, limits: Partial<PackLimits> = {}) {
  const given = { count: 0, size: 1000, objectFormat: "sha1" as const, earlierBytes: 0, ...pack };
  return fitLimits({ ...LIMITS, ...limits }, given);
}

test("a small pack has all the memory that the limits give", () => {
  expect(limitsFor({ count: 100 })).toEqual(LIMITS);
});

test("tables, earlier packs and the reader's blocks come first; objects, caches and streams share the rest", () => {
  const rest = 16 * MIB;
  const shared = {
    inMemoryBytes: 12 * MIB,
    streamAboveBytes: 4 * MIB,
    cacheBytes: 4 * MIB,
    deltaBytes: 4 * MIB,
  };
  expect(limitsFor({ earlierBytes: 96 * MIB - 8 * MIB - rest })).toMatchObject(shared);
  const full = limitsFor({ count: 1_000_000 });
  const left = 88 * MIB - 1_000_000 * PER_OBJECT;
  expect(full.inMemoryBytes).toBeCloseTo((left * 3) / 4, 3);
  expect(full.cacheBytes).toBeCloseTo(left / 4, 3);
  const long = limitsFor({ count: 1_000_000, objectFormat: "sha256" });
  expect(full.inMemoryBytes - long.inMemoryBytes).toBeCloseTo((12_000_000 * 3) / 4, 3);
  const wide = (size: number) => limitsFor({ count: 1_000_000, size }).inMemoryBytes;
  expect(wide(2 ** 32 - 1)).toBeCloseTo(full.inMemoryBytes, 3);
  expect(full.inMemoryBytes - wide(2 ** 32)).toBeCloseTo((4_000_000 * 3) / 4, 3);
});

test("a pack whose tables leave less than eight megabytes is too large", () => {
  const tooLarge = expect.objectContaining({
    code: "too-large",
    message: "A pack of 1503847 objects is too large to be indexed here",
  });
  const most = Math.floor((80 * MIB) / PER_OBJECT);
  expect(limitsFor({ count: most }).cacheBytes).toBeLessThan(2 * MIB + 100);
  expect(() => limitsFor({ count: most + 1 })).toThrow(expect.objectContaining({ code: "too-large" }));
  expect(() => limitsFor({ count: 1_503_847, earlierBytes: 80 * MIB })).toThrow(tooLarge);
  expect(() => limitsFor({ earlierBytes: 80 * MIB })).not.toThrow();
});

test("with little memory a quarter of it is enough beside the tables", () => {
  expect(limitsFor({}, { memoryBytes: 12 * MIB }).cacheBytes).toBe(MIB);
  expect(() => limitsFor({}, { memoryBytes: 10 * MIB })).toThrow(
    expect.objectContaining({ code: "too-large" }),
  );
});

test("a pack may expand by a factor of its size, and any by 256 megabytes", () => {
  expect(expansionBudget(LIMITS, 0)).toBe(256 * MIB);
  expect(expansionBudget({ ...LIMITS, expansion: 3 }, 1_000)).toBe(256 * MIB + 3_000);
});
