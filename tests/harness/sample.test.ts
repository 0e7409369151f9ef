import { afterEach, expect, test, vi } from "vitest";
import { howToRepeat, isDeep, isSampled, sampleOf, samplePoints, sweep, sweepSeed } from "./sample.ts";
import { sweepSettings } from "./sweep-settings.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const usual = (seed: string) => {
  vi.stubEnv("HOLDFAST_DEEP", "");
  vi.stubEnv("HOLDFAST_SWEEP_SEED", seed);
};
const list = Array.from({ length: 10 }, (_, index) => index);

test("a run has a seed, and the environment can override it", () => {
  expect(sweepSeed()).toBeGreaterThanOrEqual(0);
  vi.stubEnv("HOLDFAST_SWEEP_SEED", "ff");
  expect(sweepSeed()).toBe(255);
  expect(sweepSettings().HOLDFAST_SWEEP_SEED).toBe("ff");
});

test("the default seed is the commit's, or a fixed one without git", () => {
  vi.stubEnv("HOLDFAST_SWEEP_SEED", undefined);
  expect(sweepSettings().HOLDFAST_SWEEP_SEED).toMatch(/^[0-9a-f]{4,7}$/);
  vi.stubEnv("PATH", "/nowhere");
  expect(sweepSettings().HOLDFAST_SWEEP_SEED).toBe("5eed");
});

test("a seed that is not hexadecimal is refused", () => {
  for (const text of ["", "seven", "123456789"]) {
    vi.stubEnv("HOLDFAST_SWEEP_SEED", text);
    expect(() => sweepSeed()).toThrow("HOLDFAST_SWEEP_SEED");
  }
});

test("a sample keeps the order and its maximum size", () => {
  usual("1");
  expect(sampleOf(list, 4)).toEqual([1, 4, 7]);
  expect(sampleOf(list, 3, 2)).toEqual([2, 6]);
  expect(sampleOf(list, 10)).toEqual(list);
  expect(sampleOf(list, 99)).toEqual(list);
  expect(sampleOf([], 3)).toEqual([]);
  for (let count = 1; count <= 10; count++) expect(sampleOf(list, count).length).toBeLessThanOrEqual(count);
});

test("consecutive seeds visit every entry once, and the same seed the same ones", () => {
  usual("0");
  const visited = Array.from({ length: 4 }, (_, seed) => sampleOf(list, 3, seed)).flat();
  expect(visited.sort((a, b) => a - b)).toEqual(list);
  expect(sampleOf(list, 3, 7)).toEqual(sampleOf(list, 3, 3));
  expect(list.filter((index) => isSampled(index, 4, 3))).toEqual(sampleOf(list, 3, 3));
});

test("a sweep over points keeps both ends, and consecutive seeds visit all between them", () => {
  usual("0");
  expect(samplePoints(12, 3)).toEqual([1, 2, 6, 10, 12]);
  expect(samplePoints(12, 3, 1)).toEqual([1, 3, 7, 11, 12]);
  expect([0, 1, 2, 3].map((last) => samplePoints(last, 3))).toEqual([[], [1], [1, 2], [1, 2, 3]]);
  const visited = new Set([0, 1, 2, 3].flatMap((seed) => samplePoints(12, 3, seed)));
  expect(visited.size).toBe(12);
  vi.stubEnv("HOLDFAST_DEEP", "1");
  expect(samplePoints(12, 3)).toHaveLength(12);
});

test("a deep run takes everything", () => {
  usual("3");
  expect(isDeep()).toBe(false);
  vi.stubEnv("HOLDFAST_DEEP", "1");
  expect(isDeep()).toBe(true);
  expect(sampleOf(list, 1)).toEqual(list);
  expect(isSampled(1, 5)).toBe(true);
});

test("a failure in a sweep says how to repeat it", async () => {
  usual("2a");
  const fail = () => sweep(() => Promise.reject(new Error("two versions")));
  await expect(fail()).rejects.toThrow("two versions (repeat with HOLDFAST_SWEEP_SEED=2a)");
  vi.stubEnv("HOLDFAST_DEEP", "1");
  expect(howToRepeat()).toBe("repeat with HOLDFAST_DEEP=1");
  await expect(sweep(async () => 7)).resolves.toBe(7);
});
