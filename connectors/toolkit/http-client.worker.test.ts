import { expect, test } from "vitest";
import { createHttpClient } from "./http-client.ts";

/** workerd lets an invocation have this many timers at once. */
const MOST_TIMERS = 10_000;

test("a call leaves no timer behind, so that a fast platform can be asked any number of times", async () => {
  const client = createHttpClient(
    { fetch: async () => Response.json({}), clock: { now: () => 0 } },
    { platform: "Acme", baseUrl: "https://api.acme.test", headers: {} },
  );
  for (let done = 0; done <= MOST_TIMERS; done++) {
    const { status } = await client.send({ method: "GET", path: "/thing", about: "the thing" });
    expect(status).toBe(200);
  }
});
