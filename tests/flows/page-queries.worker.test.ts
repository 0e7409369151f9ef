import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openSession } from "#core/accounts/index.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

/** A database that counts how often it is asked: a batch is one question. */
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

test("a list is drawn from ten questions to the databases, however many rows it has, and none is asked twice", async () => {
  const world = await openFlowWorld();
  for (const name of ["one", "two", "three"]) await world.protect(name, "tiny");
  await world.drain();
  const { token } = await openSession(world.services, { userId: world.member.userId, isRemembered: false });
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
