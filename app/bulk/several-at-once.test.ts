import { expect, test } from "vitest";
import { severalAtOnce } from "./several-at-once.ts";

test("the results keep the order of the list", async () => {
  const slowFirst = (value: number) =>
    new Promise<number>((done) => setTimeout(() => done(value * 2), 5 - value));
  expect(await severalAtOnce([1, 2, 3, 4, 5], slowFirst)).toEqual([2, 4, 6, 8, 10]);
});

test("after a failure nothing more is started", async () => {
  const started: number[] = [];
  const work = async (member: number) => {
    started.push(member);
    if (member === 1) throw new Error("refused");
    await Promise.resolve();
  };
  await expect(severalAtOnce([1, 2, 3, 4, 5, 6, 7, 8], work)).rejects.toThrow("refused");
  await Promise.resolve();
  expect(started.length).toBeLessThan(8);
});
