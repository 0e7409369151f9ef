import { expect, test } from "vitest";
import type { PlatformStatus } from "#app/money/billing-queries.ts";
import { markOf, waitForChange } from "./wait-for-change.ts";

const status = (state: string) =>
  ({ subscription: { id: "sub", status: state, plan: "essential", pending: null } }) as PlatformStatus;

/** Looks whose answer changes at a look; null = never. */
async function watch(changesAt: number | null, fails = false) {
  const slept: number[] = [];
  let looks = 0;
  const changed = await waitForChange(new Map([["github", markOf(status("incomplete"))]]), {
    look: async () => {
      looks += 1;
      if (fails) throw new Error("offline");
      return status(changesAt !== null && looks >= changesAt ? "active" : "incomplete");
    },
    sleep: async (ms) => {
      slept.push(ms);
    },
  });
  return { changed, looks, slept };
}

test("[B-189] the first look comes 5 s after the payment, and a change ends the wait", async () => {
  expect(await watch(1)).toEqual({ changed: true, looks: 1, slept: [5_000] });
  expect(await watch(3)).toEqual({ changed: true, looks: 3, slept: [5_000, 10_000, 10_000] });
});

test("[B-188] an unchanged status is polled 20 times, 10 s apart, and then no more; failures do not end it", async () => {
  for (const fails of [false, true]) {
    const { changed, looks, slept } = await watch(null, fails);
    expect([changed, looks, slept.slice(1)]).toEqual([false, 21, Array(20).fill(10_000)]);
  }
});
