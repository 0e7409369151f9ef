import { expect, test } from "vitest";
import { type CallKind, LIMITS, watchLimits } from "./platform-limits.ts";

/** Makes calls in parallel within one invocation. Returns how many of them had begun before the first one ended. */
async function callAtOnce(
  limits = watchLimits(),
  kind: CallKind = "fetch",
  count: number = LIMITS.connections,
) {
  const held = Promise.withResolvers<void>();
  let begun = 0;
  const call = () =>
    limits.call(kind, `call of ${kind}`, async () => {
      begun += 1;
      await held.promise;
    });
  const all = limits.invocation(() => Promise.all(Array.from({ length: count }, call)));
  await new Promise((resolve) => setTimeout(resolve));
  const atOnce = begun;
  held.resolve();
  await all;
  expect(begun).toBe(count);
  return atOnce;
}

test("values at every limit are accepted, and one more is refused and recorded", () => {
  const limits = watchLimits();
  limits.messages(Array.from({ length: 100 }, () => "x".repeat(2_000)));
  limits.messages(["x".repeat(127_998)], 43_200);
  limits.hold("bytes", 10, 10, "something");
  expect([...limits.exceeded]).toEqual([]);
  expect(() => limits.messages(Array.from({ length: 101 }, () => "x"))).toThrow("messages at once: 101");
  expect(() => limits.messages(["x".repeat(127_999)])).toThrow("bytes of a message: 128001");
  expect(() => limits.messages(["é".repeat(64_000)])).toThrow("bytes of a message: 128002");
  const three = Array.from({ length: 3 }, () => "x".repeat(100_000));
  expect(() => limits.messages(three)).toThrow("bytes of messages at once: 300006");
  expect(() => limits.messages(["x"], 43_201)).toThrow("seconds of a message's delay: 43201");
  expect(() => limits.hold("bytes", 11, 10, "something")).toThrow(
    "bytes: 11, where 10 are allowed (something)",
  );
  expect(limits.exceeded.size).toBe(6);
});

test("the seventh connection of an invocation waits; other invocations have their own six, and objects need none", async () => {
  const limits = watchLimits();
  expect(await Promise.all([callAtOnce(limits), callAtOnce(limits)])).toEqual([6, 6]);
  expect(await callAtOnce(limits, "bucket", 20)).toBe(6);
  expect(await callAtOnce(limits, "object", 20)).toBe(20);
  expect([...limits.exceeded]).toEqual([]);
  expect(await callAtOnce(limits, "fetch", 7)).toBe(6);
  expect([...limits.exceeded]).toEqual(["fetches at once: 7, where 6 are allowed (call of fetch)"]);
});

test("queries and sub-requests count per invocation; outside of one they do not count", async () => {
  const limits = watchLimits();
  const ask = (queries: number) => limits.call("database", `batch of ${queries}`, async () => {}, queries);
  await ask(1_001);
  for (const queries of [600, 400]) await limits.invocation(() => ask(queries));
  await limits.invocation(() => Promise.all([ask(600), ask(400)]));
  const isBeyond = limits.invocation(async () => {
    await ask(999);
    await ask(2);
  });
  await expect(isBeyond).rejects.toThrow(
    "queries of an invocation: 1001, where 1000 are allowed (batch of 2)",
  );
  const call = () => limits.call("object", "spend", async () => {});
  await limits.invocation(async () => {
    for (let count = 0; count < 10_000; count++) await call();
    await expect(call()).rejects.toThrow(
      "sub-requests of an invocation: 10001, where 10000 are allowed (spend)",
    );
  });
  expect(limits.exceeded.size).toBe(2);
});
