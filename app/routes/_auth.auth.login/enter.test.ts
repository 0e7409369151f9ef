import { expect, test } from "vitest";
import { callApi } from "#app/api/call-api.ts";
import { enter } from "./enter.ts";

/** Runs `enter` against an API that answers by path, and records the steps in order. */
async function run(answers: Record<string, number> = {}) {
  const steps: string[] = [];
  let open = 0;
  let mostAtOnce = 0;
  const fetcher = (async (url: string, init: RequestInit) => {
    const path = url.replace(/^\/(api\/)?/, "");
    steps.push(`${init.method} ${path}${init.body ? ` ${init.body}` : ""}`);
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    await Promise.resolve();
    open -= 1;
    const status = answers[path] ?? 200;
    const word = status === 200 ? "success" : "failure";
    return new Response(JSON.stringify({ status: word, message: "No.", result: {}, code: null }), { status });
  }) as typeof fetch;
  const outcome = await enter({
    call: (line, input, options) => callApi(line, input, { ...options, fetch: fetcher }),
    beginSession: () => steps.push("begin"),
    endSession: () => steps.push("end"),
    oweStartInfo: () => steps.push("owe"),
  });
  return { outcome, steps, mostAtOnce };
}

const LOADED = [
  "begin",
  'POST user/user-action {"action":"login"}',
  "GET user/get-user-start-info",
  "GET payments/get-platforms-trial-statuses",
];

test("[A-231] the session is marked, the login recorded, then person and platforms are loaded together", async () => {
  const { outcome, steps, mostAtOnce } = await run();
  expect(steps).toEqual(LOADED);
  expect(mostAtOnce).toBe(2);
  expect(outcome).toEqual({ kind: "in" });
});

test("[A-232] [A-233] without the start information loading stops and the person is signed out", async () => {
  for (const status of [500, 423, 404]) {
    const { outcome, steps } = await run({ "user/get-user-start-info": status });
    expect(steps).toEqual([...LOADED, "POST identity/sign-out {}", "end"]);
    expect(outcome.kind).toBe("out");
  }
});

test("[A-234] [A-235] a 403 on the start information keeps the session and schedules a retry", async () => {
  const { outcome, steps } = await run({ "user/get-user-start-info": 403 });
  expect(steps).toEqual([...LOADED, "owe"]);
  expect(outcome).toEqual({ kind: "in" });
});

test("a failed login record or failed platforms do not block the sign-in", async () => {
  const lost = { "user/user-action": 500, "payments/get-platforms-trial-statuses": 500 };
  const { outcome, steps } = await run(lost);
  expect(steps).toEqual(LOADED);
  expect(outcome).toEqual({ kind: "in" });
});
