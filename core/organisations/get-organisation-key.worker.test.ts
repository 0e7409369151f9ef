import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createPerson } from "#core/accounts/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { systemClock } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { createMemory } from "#core/kernel/memory.ts";
import { askedQueries } from "#tests/harness/asked-queries.ts";
import { getOrganisationKey } from "./index.ts";

const settings = {
  PUBLIC_URL: "https://app.example.test",
  AUTH_SECRET: env.AUTH_SECRET,
  MASTER_KEYS: env.MASTER_KEYS,
  LINK_KEYS: env.LINK_KEYS,
  RESTRICTED_MODE: "off" as const,
};

async function organisationOf(email: string): Promise<string> {
  const deps = { control: controlDatabase(env), clock: systemClock, ids: randomIds, settings };
  const { userId } = await createPerson(deps, { name: "Ann", familyName: "Example", email });
  const find = env.DB.prepare("SELECT id FROM organisation WHERE owner_user_id = ?").bind(userId);
  return (await find.first<string>("id"))!;
}

test("a job opens each organisation's key once, and gets no other organisation's key for it", async () => {
  const [own, foreign] = [
    await organisationOf("own@example.com"),
    await organisationOf("foreign@example.com"),
  ];
  const asked: string[] = [];
  const control = controlDatabase({ ...env, DB: askedQueries(env.DB, asked) });
  const job = { control, settings, keys: createMemory() };
  const keys = await Promise.all([own, foreign, own].map((id) => getOrganisationKey(job, id)));
  expect(await getOrganisationKey(job, own)).toBe(keys[0]);
  expect(keys[2]).toBe(keys[0]);
  expect(asked).toHaveLength(2);

  expect(keys[1]).not.toEqual(keys[0]);
  expect(await getOrganisationKey({ control, settings }, foreign)).toEqual(keys[1]);
});

test("the next job reads the key anew, so that a deleted key is gone", async () => {
  const organisationId = await organisationOf("deleted@example.com");
  const job = () => ({ control: controlDatabase(env), settings, keys: createMemory() });
  await getOrganisationKey(job(), organisationId);
  await env.DB.prepare("UPDATE organisation SET wrapped_key = NULL WHERE id = ?").bind(organisationId).run();
  await expect(getOrganisationKey(job(), organisationId)).rejects.toMatchObject({ code: "err.not.found" });
});
