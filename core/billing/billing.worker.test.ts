import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { auditStatement } from "#core/audit/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { entitlementsOf, listTrialStatuses, startTrial } from "./index.ts";

test("[B-131] a trial of Jira includes 2002 users, which stands for no limit", async () => {
  const clock = { now: () => Date.UTC(2026, 10, 3) };
  const deps = { control: controlDatabase(env), clock, ids: randomIds };
  const organisationId = randomIds.next("organisation");
  await startTrial(deps, organisationId, "jira");
  const trials = await listTrialStatuses(deps, organisationId, ["jira", "trello"]);
  expect(trials.get("jira")).toMatchObject({ trialStatus: "active", planQuantity: 2_002 });
});

test("the start of a trial is recorded once, however often a platform is connected", async () => {
  const deps = { control: controlDatabase(env), clock: { now: () => 1 }, ids: randomIds };
  const organisationId = randomIds.next("organisation");
  const entry = { organisationId, userId: null, userName: "Nora", action: "start-trial" };
  for (let times = 0; times < 2; times++)
    await startTrial(deps, organisationId, "github", (isStarted) => auditStatement(deps, entry, isStarted));
  const entries = await env.DB.prepare("SELECT count(*) AS n FROM audit_entry WHERE organisation_id = ?")
    .bind(organisationId)
    .first<number>("n");
  expect(entries).toBe(1);
});

test("[A-015] a trial runs fourteen days, once per platform and organisation", async () => {
  const clock = { at: Date.UTC(2026, 10, 3), now: () => clock.at };
  const deps = { control: controlDatabase(env), clock, ids: randomIds };
  const organisationId = randomIds.next("organisation");
  expect(await entitlementsOf(deps, organisationId, "github")).toMatchObject({
    plan: "none",
    isActive: false,
  });
  await startTrial(deps, organisationId, "github");
  const endsAt = clock.at + 14 * DAY_MS;
  expect(await entitlementsOf(deps, organisationId, "github")).toMatchObject({
    plan: "trial",
    endsAt,
    itemLimit: 10,
  });
  clock.at = endsAt;
  await startTrial(deps, organisationId, "github");
  expect(await entitlementsOf(deps, organisationId, "github")).toMatchObject({ isActive: false, endsAt });
  expect((await entitlementsOf(deps, organisationId, "github", endsAt - 1)).isActive).toBe(true);
  expect(await entitlementsOf(deps, organisationId, "trello")).toMatchObject({ plan: "none" });
  expect(await entitlementsOf(deps, randomIds.next("organisation"), "github")).toMatchObject({
    plan: "none",
  });
});
