import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder } from "#tests/harness/hold-answers.ts";
import { makeOwner, makeSession } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { createApi } from "../create-api.ts";
import { operations } from "../operations.ts";
import { apiPlatformOf } from "../platform-endpoints.ts";

const ORIGIN = "https://app.example.test";
const s = buildServices(env);
const api = createApi({ core: operations, platforms: platforms.map(apiPlatformOf) });
const hold = answerHolder(async () =>
  (await api.fetch(new Request(`${ORIGIN}/api/openapi.json`), env)).json(),
);

/** An API client of a new owner. */
async function owned() {
  const owner = await makeOwner(s);
  const headers = { Authorization: await makeSession(s, owner), "Content-Type": "application/json" };
  const ask = async (method: string, path: string, body?: unknown) => {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await heldLimits.invocation(async () =>
      api.fetch(new Request(`${ORIGIN}/api/payments/${path}`, init), env),
    );
    // biome-ignore lint/suspicious/noExplicitAny: each call has its own result; the expectations say which
    const json = (await response.json()) as any;
    await hold({ method, path: `/api/payments/${path}`, status: response.status, body: json });
    return { status: response.status, json };
  };
  return { owner, ask };
}

test("[B-137] [B-138] [B-139] [B-140] [B-141] the catalogue has brackets, a default and an id for each platform, plan and period", async () => {
  const { ask } = await owned();
  const { json } = await ask("GET", "stripe-get-prices/");
  expect(Object.keys(json.result).sort()).toEqual(["github", "gitlab", "trello"]);
  for (const plans of Object.values<Record<string, object>>(json.result)) {
    expect(Object.keys(plans)).toEqual(["essential", "pro_plan"]);
    for (const periods of Object.values(plans)) expect(Object.keys(periods)).toEqual(["month", "year"]);
  }
  const { github } = json.result;
  expect(github.essential.year.planCost[0]).toEqual({ from: 1, to: 10, cost: 115.2, monthlyCost: 9.6 });
  expect(github.pro_plan.month.planCost.at(-1)).toEqual({ from: 501, to: 1000, cost: 500, monthlyCost: 500 });
  const ids = Object.values<Record<string, Record<string, { stripeIds: { priceId: string } }>>>(json.result)
    .flatMap((plans) => Object.values(plans))
    .flatMap((periods) => Object.values(periods))
    .map(({ stripeIds }) => stripeIds.priceId);
  expect(new Set(ids).size).toBe(12);
});

test("[B-299] [B-300] [B-301] the catalogue proposes 10 repositories or projects for 12, and 10 boards for 10", async () => {
  const { json } = await (await owned()).ask("GET", "stripe-get-prices/");
  const proposed = Object.entries<Record<string, Record<string, Record<string, never>>>>(json.result).map(
    ([platform, plans]) => {
      const { defaultPlan, planCost } = plans.essential!.month as unknown as {
        defaultPlan: { to: number };
        planCost: { to: number; cost: number }[];
      };
      return [platform, defaultPlan.to, planCost.find(({ to }) => to === defaultPlan.to)?.cost];
    },
  );
  expect(Object.fromEntries(proposed.map(([platform, ...rest]) => [platform, rest]))).toEqual({
    github: [10, 12],
    gitlab: [10, 12],
    trello: [10, 10],
  });
});
