import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { findConnectionRow, openSession } from "#core/connections/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

/** A database that counts queries. A batch counts as one. */
function countingQuestions(database: D1Database, asked: string[]): D1Database {
  const statements = new WeakMap<object, D1PreparedStatement>();
  const wrap = (plain: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const counting = new Proxy(plain, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values), sql);
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          asked.push(sql);
          return member.apply(target, given);
        };
      },
    });
    statements.set(counting, plain);
    return counting;
  };
  return new Proxy(database, {
    get: (target, name) => {
      if (name === "withSession") {
        return (...start: [string]) =>
          countingQuestions(target.withSession(...start) as unknown as D1Database, asked);
      }
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql), sql);
      if (name === "batch") {
        return (given: D1PreparedStatement[]) => {
          asked.push("batch");
          return target.batch(given.map((each) => statements.get(each) ?? each));
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

test("a list needs ten database queries for any number of rows, and none twice", async () => {
  const world = await openFlowWorld();
  for (const name of ["one", "two", "three"]) await world.protect(name, "tiny");
  await world.drain();
  const { token } = await createSession(world.services, { userId: world.member.userId, isRemembered: false });
  const asked: string[] = [];
  const bindings = httpBindings(world);
  const counted = {
    ...bindings,
    DB: countingQuestions(env.DB, asked),
    ...Object.fromEntries(
      REGIONS.map((region) => [`LEDGER_${region}`, countingQuestions(env[`LEDGER_${region}`], asked)]),
    ),
  } as Env;
  const page = await sendTo(counted, {
    method: "GET",
    path: `/platform/dashboard/${PLATFORM}`,
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(page.status).toBe(200);
  for (const name of ["one", "two", "three"]) expect(page.text).toContain(name);
  expect(asked.filter((sql, at) => sql !== "batch" && asked.indexOf(sql) !== at)).toEqual([]);
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
  const control = controlDatabase({ ...env, DB: countingQuestions(env.DB, asked) });
  const session = openSession({ ...services, control }, row!);
  const tokens = new Set<string>();
  for (let i = 0; i < 5; i++) tokens.add(await session.accessToken());
  expect(tokens.size).toBe(1);
  expect(asked.filter((sql) => sql.includes("wrapped_key"))).toHaveLength(1);
  await world.close();
});
