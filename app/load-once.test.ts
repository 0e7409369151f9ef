import { expect, test } from "vitest";
import { loadOnce } from "./load-once.ts";

test("concurrent callers share one fetch and continue in call order", async () => {
  const fetches: ((module: string) => void)[] = [];
  const wanted = loadOnce(() => new Promise<string>((settle) => void fetches.push(settle)));
  const order: number[] = [];
  const waiting = [1, 2, 3].map((turn) => wanted().then(() => order.push(turn)));
  for (const settle of fetches.toReversed()) settle("module");
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
  expect(fetches).toHaveLength(1);
});

test("a failed fetch is retried", async () => {
  const answers = [Promise.reject(new Error("lost")), Promise.resolve("module")];
  const wanted = loadOnce(() => answers.shift() ?? Promise.resolve("again"));
  await expect(wanted()).rejects.toThrow("lost");
  expect(await wanted()).toBe("module");
  expect(await wanted()).toBe("module");
});
