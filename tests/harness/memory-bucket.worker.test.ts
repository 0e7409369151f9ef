import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dice } from "./dice.ts";
import { memoryBucket } from "./memory-bucket.ts";

const LETTERS = ["a", "b", "/", "é", "\uff5e", "\u{1f600}"] as const;

/** All pages of a listing: the keys of each, and whether more followed. */
async function pagesOf(bucket: Pick<R2Bucket, "list">, options: R2ListOptions) {
  const pages: { keys: string[]; sizes: number[]; truncated: boolean }[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list({ ...options, ...(cursor && { cursor }) });
    const { objects, truncated } = page;
    pages.push({ keys: objects.map(({ key }) => key), sizes: objects.map(({ size }) => size), truncated });
    if (!page.truncated) return pages;
    cursor = page.cursor;
  }
}

test("a bucket in memory lists as R2 does, page by page, in the order of UTF-8 bytes", async () => {
  const roll = dice(11);
  const memory = memoryBucket();
  const text = () => Array.from({ length: roll(4) + 1 }, () => LETTERS[roll(LETTERS.length)]!).join("");
  for (let at = 0; at < 60; at++) {
    const [key, value] = [text(), "x".repeat(roll(5))];
    await Promise.all([env.VAULT_DE.put(key, value), memory.put(key, value)]);
  }
  const orders: R2ListOptions[] = [{}, { limit: 7 }, { prefix: "a/" }, { prefix: "é", limit: 1 }];
  for (let at = 0; at < 10; at++) orders.push({ prefix: [...text()][0]!, limit: 1 + roll(4) });
  for (let at = 0; at < 10; at++) orders.push({ startAfter: text(), limit: 1 + roll(20) });
  let pages = 0;
  for (const order of orders) {
    const listed = await pagesOf(env.VAULT_DE, order);
    expect(await pagesOf(memory, order), JSON.stringify(order)).toEqual(listed);
    pages += listed.length;
  }
  expect(pages).toBeGreaterThan(orders.length);
  for (const limit of [0, 1_001])
    for (const bucket of [env.VAULT_DE, memory]) await expect(bucket.list({ limit })).rejects.toThrow();
  await expect(memory.list({ delimiter: "/" })).rejects.toThrow("not simulated: delimiter");
});

test("a listed object says when it was stored", async () => {
  const memory = memoryBucket();
  const before = Date.now();
  await memory.put("photo", new Uint8Array(3));
  const [listed] = (await memory.list()).objects;
  expect(listed).toMatchObject({ key: "photo", size: 3 });
  expect(listed!.uploaded.getTime()).toBeGreaterThanOrEqual(before);
  expect(await (await memory.get("photo"))?.text()).toBe("\0\0\0");
});
