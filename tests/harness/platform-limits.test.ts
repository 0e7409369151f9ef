import { expect, test } from "vitest";
import { watchLimits } from "./platform-limits.ts";

test("what keeps to every limit leaves no note, and one more of anything leaves one", async () => {
  const limits = watchLimits();
  const open = (count: number) =>
    limits.invocation(async () => {
      const held = Promise.withResolvers<void>();
      const all = Array.from({ length: count }, () => limits.connection(() => held.promise));
      await Promise.resolve();
      held.resolve();
      return Promise.all(all);
    });
  limits.statement("x".repeat(100_000));
  limits.parameters(100);
  limits.messages(Array.from({ length: 100 }, () => "x".repeat(2_000)));
  limits.messages(["x".repeat(127_998)]);
  limits.deletion(Array.from({ length: 1_000 }, () => "key"));
  await open(6);
  // Two invocations side by side have six each.
  await Promise.all([open(6), open(6)]);
  expect([...limits.exceeded]).toEqual([]);
  limits.statement("x".repeat(100_001));
  limits.parameters(101);
  limits.messages(Array.from({ length: 101 }, () => "x"));
  limits.messages(["x".repeat(127_999)]);
  limits.messages(Array.from({ length: 3 }, () => "x".repeat(100_000)));
  limits.deletion(Array.from({ length: 1_001 }, () => "key"));
  await open(7);
  expect([...limits.exceeded]).toEqual([
    "bytes of a statement: 100001, where 100000 are allowed",
    "parameters of a statement: 101, where 100 are allowed",
    "messages at once: 101, where 100 are allowed",
    "bytes of a message: 128001, where 128000 are allowed",
    "bytes of messages at once: 300006, where 256000 are allowed",
    "objects deleted at once: 1001, where 1000 are allowed",
    "connections at once: 7, where 6 are allowed",
  ]);
});
