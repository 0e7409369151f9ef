import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder } from "#tests/harness/hold-answers.ts";
import { makeOwner, makeSession } from "#tests/harness/people.ts";
import { rowOf } from "#tests/harness/row-of.ts";
import { buildServices } from "#workers/services.ts";
import { createApi } from "../create-api.ts";
import { operations } from "../operations.ts";
import { apiPlatformOf } from "../platform-endpoints.ts";
import { catalogueOf } from "./payments/catalogue.ts";

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

test("[A-013] [B-240] [B-137] [B-138] [B-139] [B-140] [B-141] the catalogue has brackets, a default and an id for each platform, plan and period", async () => {
  const { ask } = await owned();
  const { json } = await ask("GET", "stripe-get-prices/");
  const sold = platforms.map(({ connector }) => connector.descriptor.id);
  expect(Object.keys(json.result).sort()).toEqual([...sold].sort());
  expect(json.result).not.toHaveProperty("asana");
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

const rows = [
  ["B-299", "github", 10, 12],
  ["B-300", "gitlab", 10, 12],
  ["B-301", "trello", 10, 10],
  ["B-302", "jira", 1, 2.5],
  ["B-303", "notion", 1, 10],
] as const;
const ids = rows.map(([row, platform]) => rowOf(row, platform)).join("");

test(`${ids}the catalogue proposes a quantity of each platform with its price`, async () => {
  const { json } = await (await owned()).ask("GET", "stripe-get-prices/");
  for (const [, platform, quantity, dollars] of rows) {
    const { defaultPlan, planCost, unitCost } = catalogueOf([platform])[platform]!.essential.month;
    const answered = json.result[platform]?.essential.month;
    if (answered)
      expect(answered).toMatchObject({ defaultPlan, ...(planCost ? { planCost } : { unitCost }) });
    const bracket = (planCost ?? unitCost)?.find(({ to }) => quantity <= to);
    expect([platform, defaultPlan.to, bracket?.cost]).toEqual([platform, quantity, dollars]);
  }
});

const TIERS = [
  [1, 10, 12, 115.2, 9.6],
  [11, 50, 24, 230.4, 19.2],
  [51, 100, 50, 480, 40],
  [101, 250, 100, 960, 80],
  [251, 500, 150, 1440, 120],
  [501, 1000, 250, 2400, 200],
] as const;

test("[B-286] [B-287] [B-288] [B-289] [B-290] [B-291] Essential costs by brackets of repositories or projects a month", async () => {
  const { json } = await (await owned()).ask("GET", "stripe-get-prices/");
  const expected = TIERS.map(([from, to, cost]) => ({ from, to, cost, monthlyCost: cost }));
  for (const platform of ["github", "gitlab"])
    expect(json.result[platform].essential.month.planCost).toEqual(expected);
});

test("[B-292] [B-293] [B-294] [B-295] [B-296] [B-297] and a fifth less for a year", async () => {
  const { json } = await (await owned()).ask("GET", "stripe-get-prices/");
  const expected = TIERS.map(([from, to, , cost, monthlyCost]) => ({ from, to, cost, monthlyCost }));
  for (const platform of ["github", "gitlab"])
    expect(json.result[platform].essential.year.planCost).toEqual(expected);
});
