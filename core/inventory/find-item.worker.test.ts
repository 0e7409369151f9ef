import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { Shard } from "#core/database/shards.ts";
import { itemIdIn, randomIds, regionOfItem } from "#core/kernel/ids.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { addItem, ORGANISATION } from "#tests/harness/ledger-rows.ts";
import { buildServices } from "#workers/services.ts";
import { findItem } from "./find-item.ts";

beforeEach(emptyEverything);

/** Services that record which ledgers are used. Unavailable ledgers throw. */
function watched(away: readonly Shard[] = []) {
  const asked: Shard[] = [];
  const built = buildServices(env);
  const ledger: typeof built.ledger = (region) => {
    asked.push(region);
    if (away.includes(region)) throw new Error(`The ledger of ${region} is away.`);
    return built.ledger(region);
  };
  return { asked, services: { ...built, ledger } };
}

test("an id names its region, and only that ledger is queried, even if others are unavailable", async () => {
  for (const region of REGIONS) expect(regionOfItem(itemIdIn(randomIds, region))).toBe(region);
  for (const id of [randomIds.next("item"), randomIds.next("run"), "itm_", "itm_x!", "d".repeat(31)])
    expect(regionOfItem(id)).toBeNull();
  const id = itemIdIn(randomIds, "DE");
  await addItem({ id });
  const { asked, services } = watched(["US", "UK", "AP"]);
  expect((await findItem(services, ORGANISATION, id))?.item.id).toBe(id);
  expect(await findItem(services, "org_other", id)).toBeNull();
  expect(await findItem(services, ORGANISATION, itemIdIn(randomIds, "DE"))).toBeNull();
  expect(new Set(asked)).toEqual(new Set(["DE"]));
});

test("an id of an earlier release is longer and names its region as well", () => {
  expect(regionOfItem(`itm_k${"0".repeat(26)}`)).toBe("UK");
  // Ids without a region have no letter to spare.
  expect(regionOfItem(`itm_k${"0".repeat(25)}`)).toBeNull();
});

test("an old id without a region is looked up in all ledgers once, skipping unavailable ones", async () => {
  const id = randomIds.next("item");
  await addItem({ id });
  const first = watched(["US"]);
  expect((await findItem(first.services, ORGANISATION, id))?.item.id).toBe(id);
  expect(first.asked).toEqual(["US", "DE"]);
  const second = watched(["US"]);
  expect((await findItem(second.services, ORGANISATION, id))?.item.id).toBe(id);
  expect(second.asked).toEqual(["DE"]);
  // While a ledger is unavailable, the existence of an item not found yet is unknown.
  const missing = randomIds.next("item");
  await expect(findItem(watched(["UK"]).services, ORGANISATION, missing)).rejects.toThrow("UK is away");
  expect(await findItem(watched().services, ORGANISATION, missing)).toBeNull();
  // A request by another organisation neither finds nor remembers the item.
  const other = randomIds.next("item");
  await addItem({ id: other });
  expect(await findItem(watched().services, "org_other", other)).toBeNull();
  const afterwards = watched();
  expect((await findItem(afterwards.services, ORGANISATION, other))?.item.id).toBe(other);
});
