import { expect, inject, test } from "vitest";
import { readRuntimeLog } from "#tests/harness/read-runtime-log.ts";
import { outsideFetch } from "./outside-fetch.ts";

const address = () => `${inject("outsideUrl")}/nothing`;

test.each([
  ["ä", "Bearer canary-of-a-headerä"],
  ["an emoji", "Bearer canary-of-a-header💥"],
  ["a blank of no width", "Bearer canary-of-a-header\u200b"],
  ["a line feed", "Bearer canary-of-a-header\nx"],
  ["a null", "Bearer canary-of-a-header\u0000"],
])("a header with %s is neither sent nor logged nor in a message", async (_, authorization) => {
  const log = await readRuntimeLog();
  for (const headers of [{ authorization }, [["authorization", authorization]] as [string, string][]]) {
    const refusal = await outsideFetch(address(), { headers }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ kind: "malformed", message: expect.stringContaining("authorization") });
    expect(String(refusal)).not.toContain("canary");
  }
  expect(await log.untilNow()).not.toContain("canary-of-a-header");
});

test("a plain header is sent unchanged, and a redirect is returned", async () => {
  const answer = await outsideFetch(address(), { headers: { authorization: "Bearer plain ~ text\t1" } });
  expect(answer.status).toBe(404);
  await answer.body?.cancel();
});

test("the log reader finds a planted entry", async () => {
  const log = await readRuntimeLog();
  const answer = await fetch(address(), { headers: { authorization: "Bearer canary-of-the-runtime-ä" } });
  await answer.body?.cancel();
  expect(await log.untilNow()).toContain("canary-of-the-runtime-ä");
});
