import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createPerson } from "#core/accounts/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { systemClock } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { getOrganisationKey, rewrapKeys } from "./index.ts";

const SECOND = "2:ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1-f4CBgoM";

test("rotating the master key rewraps organisation keys, and the old master is no longer needed", async () => {
  const deps = (masterKeys: string) => ({
    control: controlDatabase(env),
    clock: systemClock,
    ids: randomIds,
    settings: {
      PUBLIC_URL: "https://app.example.test",
      AUTH_SECRET: env.AUTH_SECRET,
      MASTER_KEYS: masterKeys,
      LINK_KEYS: env.LINK_KEYS,
      RESTRICTED_MODE: "off" as const,
    },
  });
  const before = deps(env.MASTER_KEYS);
  const names = { name: "Ann", familyName: "Example" };
  const person = { ...names, email: "rotate@example.com" };
  const { userId } = await createPerson(before, person);
  const organisationId = await env.DB.prepare("select id from organisation where owner_user_id = ?")
    .bind(userId)
    .first<string>("id");
  if (organisationId === null) throw new Error("there is no organisation");
  const key = await getOrganisationKey(before, organisationId);
  expect(await rewrapKeys(before)).toBe(0);
  // Another organisation's key is damaged and comes first.
  const other = await createPerson(before, { ...person, email: "damaged@example.com" });
  await env.DB.prepare(
    "update organisation set rowid = -1, wrapped_key = json_set(wrapped_key, '$.wrapped', 'AAAA', '$.masterVersion', 0) where owner_user_id = ?",
  )
    .bind(other.userId)
    .run();

  expect(await rewrapKeys(deps(`${env.MASTER_KEYS},${SECOND}`))).toBeGreaterThan(0);
  expect(await getOrganisationKey(deps(SECOND), organisationId)).toEqual(key);
  await expect(getOrganisationKey(before, organisationId)).rejects.toThrow("master key 2 is not configured");
});
