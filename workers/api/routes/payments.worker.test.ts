import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { startTrial } from "#core/billing/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder } from "#tests/harness/hold-answers.ts";
import { makeOwner, makePlatform, makeSession } from "#tests/harness/people.ts";
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
  for (const [platform, plans] of Object.entries<Record<string, object>>(json.result)) {
    expect(Object.keys(plans)).toEqual(["essential", "pro_plan"]);
    // Jira is billed monthly only (spec B-309).
    const sold = platform === "jira" ? ["month"] : ["month", "year"];
    for (const periods of Object.values(plans)) expect(Object.keys(periods)).toEqual(sold);
  }
  const { github } = json.result;
  expect(github.essential.year.planCost[0]).toEqual({ from: 1, to: 10, cost: 115.2, monthlyCost: 9.6 });
  expect(github.pro_plan.month.planCost.at(-1)).toEqual({ from: 501, to: 1000, cost: 500, monthlyCost: 500 });
  const ids = Object.values<Record<string, Record<string, { stripeIds: { priceId: string } }>>>(json.result)
    .flatMap((plans) => Object.values(plans))
    .flatMap((periods) => Object.values(periods))
    .map(({ stripeIds }) => stripeIds.priceId);
  expect(new Set(ids).size).toBe(sold.includes("jira") ? sold.length * 4 - 2 : sold.length * 4);
});

const rows = [
  ["B-299", "github", 10, 12],
  ["B-300", "gitlab", 10, 12],
  ["B-301", "trello", 10, 10],
  ["B-302", "jira", 1, 2.5],
  ["B-303", "notion", 1, 10],
] as const;
const ids = rows.map(([row]) => `[${row}] `).join("");

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

/** Jira of an owner whose site has so many users, with what was bought of it. */
async function jiraOf(
  users: number | null,
  bought: { status: string; quantity: number; paid: number } | null,
) {
  const { owner, ask } = await owned();
  const { organisationId } = owner;
  await makePlatform(s, owner, { platform: "jira", plan: null });
  await env.DB.prepare("UPDATE connection SET seats = ? WHERE organisation_id = ?")
    .bind(users, organisationId)
    .run();
  if (bought === null) await startTrial(s, organisationId, "jira");
  else {
    const end = s.clock.now() + 10 * DAY_MS;
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO stripe_subscription (id, organisation_id, platform, item_id, price_key, plan, period, quantity,
           bought_quantity, status, period_start, period_end, is_cancelled_by_date, collection_method, attempts,
           next_invoice_cents, created)
         VALUES (?1, ?2, 'jira', 'si_1', 'jira.essential.month', 'essential', 'month', ?3, ?4, ?5, ?6, ?7, 0, 'charge', 0,
           27475, ?6)`,
      ).bind(
        `sub_${organisationId}`,
        organisationId,
        bought.quantity,
        bought.paid,
        bought.status,
        s.clock.now(),
        end,
      ),
      env.DB.prepare(
        `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at)
         VALUES (?1, ?2, 'jira', 'essential', ?3, ?4, ?5)`,
      ).bind(`own_${organisationId}`, organisationId, bought.paid, s.clock.now(), end),
    ]);
  }
  const { status, json } = await ask("GET", "get-jira-trial-status");
  expect(status).toBe(200);
  return json.result;
}

test("[B-136] [B-237] the state of Jira tells its users: those of the next invoice, those paid for, those there are, and the room", async () => {
  expect(await jiraOf(60, { status: "active", quantity: 111, paid: 100 })).toMatchObject({
    ...{ subscription_type: "essential", subscription_status: "active", planQuantity: 100 },
    stripe_jira_users_quantity: 111,
    stripe_jira_users_bought_quantity: 100,
    availableUsersQuantity: 40,
    domainUsersNumber: 60,
  });
  const over = await jiraOf(130, { status: "active", quantity: 100, paid: 100 });
  expect(over).toMatchObject({ availableUsersQuantity: 0, domainUsersNumber: 130 });
  expect(over).not.toHaveProperty("stripe_jira_projects_quantity");
  const unknown = await jiraOf(null, { status: "active", quantity: 100, paid: 100 });
  expect(unknown).toMatchObject({ availableUsersQuantity: null, domainUsersNumber: null });
  const { ask } = await owned();
  const github = (await ask("GET", "get-github-trial-status")).json.result;
  expect(github).not.toHaveProperty("domainUsersNumber");
  expect(github).toHaveProperty("stripe_github_repos_quantity");
});

test("[B-131] [B-285] [P-456] a trial of Jira has a planQuantity of 2002, which leaves room for any number of projects", async () => {
  const trial = await jiraOf(148, null);
  expect(trial).toMatchObject({
    ...{ trialStatus: "active", planQuantity: 2_002, domainUsersNumber: 148 },
    subscription: { type: "trial", planQuantity: 2_002 },
  });
});

test("[B-167] the summary of a subscription of Jira has its next dates and sums only while it is active", async () => {
  const built = {
    cost: 274.75,
    price: 250,
    finishDate: expect.any(String),
    finishDateInMillisecond: expect.any(Number),
  };
  const none = { cost: null, price: null, finishDate: null, finishDateInMillisecond: null };
  const of = async (status: string) => (await jiraOf(100, { status, quantity: 100, paid: 100 })).subscription;
  expect(await of("active")).toMatchObject({ ...built, status: "active", plan: "essential", quantity: 100 });
  for (const status of ["past_due", "unpaid", "incomplete"])
    expect(await of(status)).toMatchObject({ ...none, status, plan: "essential", quantity: 100 });
});

test("[B-238] the state of Notion is at the path of its name, and its quantity counts workspaces", async () => {
  const { owner, ask } = await owned();
  await startTrial(s, owner.organisationId, "notion");
  const { status, json } = await ask("GET", "get-notion-trial-status");
  expect([status, json.status]).toEqual([200, "success"]);
  expect(json.result).toMatchObject({
    ...{ trialStatus: "active", planQuantity: 10, availableItemsQuantity: 10 },
    stripe_notion_workspaces_quantity: 0,
    subscription: { type: "trial", platformName: "Notion" },
  });
  expect((await ask("GET", "get-platforms-trial-statuses")).json.result.notion).toEqual(json.result);
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
