import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { entitlementsOf } from "#core/billing/index.ts";
import { connectionRowsOf } from "#core/connections/index.ts";
import { makeOwner, makePlatform } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { removeItems } from "./change-items.ts";
import { protectItems } from "./protect-items.ts";

const CAPACITY = 333;

test("a thousand items that are added at once end exactly at the capacity, and removed ones make room again", async () => {
  const live = { publish: async () => undefined, disconnect: async () => undefined };
  const s = { ...buildServices(env), live, queue: { send: async () => undefined } };
  const owner = await makeOwner(s);
  const { organisationId } = owner;
  await makePlatform(s, owner);
  await env.DB.prepare("UPDATE subscription SET quantity = ? WHERE organisation_id = ?")
    .bind(CAPACITY, organisationId)
    .run();
  const connection = (await connectionRowsOf(s, organisationId, "github"))[0]!;
  const entitlements = await entitlementsOf(s, organisationId, "github");
  const by = { userId: owner.userId, userName: owner.name, action: "add-item" as const };
  let named = 0;
  const items = (count: number) =>
    Array.from({ length: count }, () => {
      const name = `repository-${named++}`;
      const facts = { description: null, sizeHintBytes: null, details: {} };
      return { kind: "repository", externalId: name, name, fullName: `octo/${name}`, ...facts };
    });
  const add = (count: number) =>
    protectItems(s, { connection, placeId: null, found: items(count), entitlements, by });
  const stored = async () =>
    (
      await env.LEDGER_US.prepare("SELECT id FROM item WHERE organisation_id = ?")
        .bind(organisationId)
        .all<{ id: string }>()
    ).results.map(({ id }) => id);
  const runs = () =>
    env.LEDGER_US.prepare(
      "SELECT count(*) AS n FROM run WHERE organisation_id = ? AND kind = 'backup' AND status = 'queued'",
    )
      .bind(organisationId)
      .first<number>("n");

  // The capacity ends in the middle of a call.
  const added = (await Promise.all(Array.from({ length: 200 }, () => add(5)))).flat();
  const held = await stored();
  expect(held).toHaveLength(CAPACITY);
  expect(added.map(({ id }) => id).sort()).toEqual(held.toSorted());
  expect(await runs()).toBe(CAPACITY);
  expect(await add(1)).toEqual([]);

  const gone = held.slice(0, 40);
  await removeItems(s, owner, { platform: "github", kind: "repository", itemIds: gone });
  expect(await stored()).toHaveLength(CAPACITY - 40);
  await Promise.all(Array.from({ length: 50 }, () => add(1)));
  expect(await stored()).toHaveLength(CAPACITY);
});
