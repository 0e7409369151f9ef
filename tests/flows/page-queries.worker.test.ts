import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { findConnectionRow, openSession } from "#core/connections/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { askedQueries } from "#tests/harness/asked-queries.ts";
import { openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

test("a list needs ten database queries for any number of rows, and none twice", async () => {
  const world = await openFlowWorld();
  for (const name of ["one", "two", "three"]) await world.protect(name, "tiny");
  await world.drain();
  const { token } = await createSession(world.services, { userId: world.member.userId, isRemembered: false });
  const asked: string[] = [];
  const bindings = httpBindings(world);
  const counted = {
    ...bindings,
    DB: askedQueries(env.DB, asked),
    ...Object.fromEntries(
      REGIONS.map((region) => [`LEDGER_${region}`, askedQueries(env[`LEDGER_${region}`], asked)]),
    ),
  } as Env;
  const page = await sendTo(counted, {
    method: "GET",
    path: `/platform/dashboard/${PLATFORM}`,
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(page.status).toBe(200);
  for (const name of ["one", "two", "three"]) expect(page.text).toContain(name);
  expect(asked.filter((sql, at) => !sql.startsWith("batch") && asked.indexOf(sql) !== at)).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(10);
  await world.close();
});

test("a session with a platform reads the organisation's key once for any number of calls", async () => {
  const world = await openFlowWorld();
  const { services } = world;
  const { organisationId } = world.member;
  const connection = await env.DB.prepare("SELECT id FROM connection WHERE organisation_id = ?")
    .bind(organisationId)
    .first<string>("id");
  const row = await findConnectionRow(services.control, organisationId, connection!);
  const asked: string[] = [];
  const control = controlDatabase({ ...env, DB: askedQueries(env.DB, asked) });
  const session = openSession({ ...services, control }, row!);
  const tokens = new Set<string>();
  for (let i = 0; i < 5; i++) tokens.add(await session.accessToken());
  expect(tokens.size).toBe(1);
  expect(asked.filter((sql) => sql.includes("wrapped_key"))).toHaveLength(1);
  await world.close();
});
