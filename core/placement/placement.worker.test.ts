import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createPerson, createSession } from "#core/accounts/index.ts";
import { controlDatabase } from "#core/database/ledgers.ts";
import { listShards } from "#core/database/shards.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { furtherLedger } from "#tests/harness/further-ledger.ts";
import { ORGANISATION } from "#tests/harness/ledger-rows.ts";
import { buildServices } from "#workers/services.ts";
import { measureShards, openLedgers } from "./index.ts";

let second: D1Database;
let bindings: Env;
beforeAll(async () => {
  second = await furtherLedger();
  bindings = { ...env, LEDGER_DE_2: second } as Env;
});
beforeEach(async () => {
  await emptyEverything();
  await second.prepare("DELETE FROM storage_tally").run();
});

const NOW = Date.UTC(2026, 10, 3, 9);
const at = (now: number, through = bindings) => ({ ...buildServices(through), clock: { now: () => now } });

/** Signs somebody up. Returns the shards of their organisation. */
async function shardsOfNew(now: number) {
  const email = `${randomIds.next("user")}@meridian.example`;
  const { userId } = await createPerson(at(now), { name: "Nora", familyName: "Lind", email });
  const { member } = await createSession(at(now), { userId, isRemembered: false });
  return member.shards;
}

const sizes = async () =>
  (await env.DB.prepare("SELECT name, region, since, measured_at FROM ledger_shard ORDER BY name").all())
    .results;

const setSize = (name: string, bytes: number) =>
  env.DB.prepare("UPDATE ledger_shard SET size_bytes = ?2 WHERE name = ?1").bind(name, bytes).run();

async function place(shards: object): Promise<void> {
  await createPerson(at(NOW), { name: "Nora", familyName: "Lind", email: "nora@meridian.example" });
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = ON"),
    env.DB.prepare("UPDATE member SET organisation_id = ?1").bind(ORGANISATION),
    env.DB.prepare("UPDATE organisation SET id = ?1, shards = ?2").bind(ORGANISATION, JSON.stringify(shards)),
  ]);
}

const tally = (ledger: Parameters<typeof statement>[0], hour: number) =>
  statement(
    ledger,
    "INSERT INTO storage_tally (organisation_id, hour, bytes) VALUES (?1, ?2, 1)",
    ORGANISATION,
    hour,
  );
const hoursIn = async (database: D1Database) =>
  (await database.prepare("SELECT hour FROM storage_tally ORDER BY hour").all()).results.map(
    ({ hour }) => hour,
  );

test("where no region has several ledgers, nothing is measured and no place is stored", async () => {
  await measureShards(at(NOW, env));
  expect(await sizes()).toEqual([]);
  expect(await shardsOfNew(NOW + 2 * HOUR_MS)).toBeNull();
});

test("a new organisation goes to the emptiest ledger of each region that has several", async () => {
  await measureShards(at(NOW));
  const facts = { region: "DE", since: NOW, measured_at: NOW };
  expect(await sizes()).toEqual([
    { name: "DE", ...facts },
    { name: "DE_2", ...facts },
  ]);
  await setSize("DE", 9_000);
  await setSize("DE_2", 8_000);
  // Isolates of the deployment before do not know the new ledger.
  expect(await shardsOfNew(NOW + HOUR_MS - 1)).toBeNull();
  expect(await shardsOfNew(NOW + HOUR_MS)).toEqual({ DE: "DE_2" });
  await setSize("DE_2", 10_000);
  expect(await shardsOfNew(NOW + HOUR_MS)).toEqual({ DE: "DE" });
});

test("a ledger that does not answer gets no new organisation, and the others are measured", async () => {
  await measureShards(at(NOW));
  await setSize("DE_2", 1);
  const services = at(NOW + 4 * HOUR_MS);
  const away = {
    ...services,
    ledger: (shard: Parameters<typeof services.ledger>[0]) => {
      if (shard === "DE_2") throw new Error("It is away.");
      return services.ledger(shard);
    },
  };
  await measureShards(away);
  expect(await sizes()).toMatchObject([
    { name: "DE", since: NOW, measured_at: NOW + 4 * HOUR_MS },
    { name: "DE_2", measured_at: NOW },
  ]);
  expect(await shardsOfNew(NOW + 4 * HOUR_MS)).toEqual({ DE: "DE" });
});

test("statements, queries and batches reach the ledger that the control database names", async () => {
  await place({ DE: "DE_2" });
  const { ledger } = at(NOW);
  const own = ledger("DE", ORGANISATION);
  await commitTogether(own, [tally(own, 1), tally(own, 2)]);
  // Opened twice in one invocation, its statements may meet in one batch.
  await commitTogether(ledger("DE", ORGANISATION), [tally(own, 3)]);
  await tally(own, 4).run();
  expect(await own.$client.prepare("SELECT max(hour) FROM storage_tally").raw()).toEqual([[4]]);
  expect(await hoursIn(second)).toEqual([1, 2, 3, 4]);
  expect(await hoursIn(env.LEDGER_DE)).toEqual([]);
  const stranger = ledger("DE", "org_other");
  await commitTogether(stranger, [tally(stranger, 9)]);
  expect(await hoursIn(env.LEDGER_DE)).toEqual([9]);
});

test("the place is read once per invocation, again after a fault, and not at all where it is known", async () => {
  await place({ DE: "DE_2" });
  let reads = 0;
  let isAway = true;
  const control = controlDatabase({
    ...bindings,
    DB: {
      prepare: (text: string) => {
        reads += 1;
        if (isAway) throw new Error("It is away.");
        return env.DB.prepare(text);
      },
    } as unknown as D1Database,
  });
  const ledger = openLedgers(bindings, control);
  await expect(tally(ledger("DE", ORGANISATION), 1).run()).rejects.toThrow();
  isAway = false;
  await Promise.all([2, 3].map((hour) => tally(ledger("DE", ORGANISATION), hour).run()));
  await tally(ledger("DE", ORGANISATION), 4).run();
  expect(reads).toBe(2);
  const known = openLedgers(bindings, control, { organisationId: ORGANISATION, shards: { DE: "DE_2" } });
  await tally(known("DE", ORGANISATION), 5).run();
  await tally(known("US", ORGANISATION), 6).run();
  await tally(openLedgers(env, control)("UK", ORGANISATION), 7).run();
  expect(reads).toBe(2);
  expect(await hoursIn(second)).toEqual([2, 3, 4, 5]);
  expect(await hoursIn(env.LEDGER_US)).toEqual([6]);
  expect(await hoursIn(env.LEDGER_UK)).toEqual([7]);
});

test("a deployment without an organisation's ledger fails instead of taking another", async () => {
  await place({ DE: "DE_3" });
  const { ledger } = at(NOW);
  await expect(tally(ledger("DE", ORGANISATION), 1).run()).rejects.toThrow("LEDGER_DE_3 is not bound");
  const known = openLedgers(env, controlDatabase(env), {
    organisationId: ORGANISATION,
    shards: { DE: "DE_2" },
  });
  expect(() => known("DE", ORGANISATION)).toThrow("LEDGER_DE_2 is not bound");
  expect(await hoursIn(env.LEDGER_DE)).toEqual([]);
});

test("a duty reaches each ledger by its name", async () => {
  const { ledger, shards } = at(NOW);
  expect(shards).toEqual(["US", "DE", "DE_2", "UK", "AP"]);
  expect(listShards(env)).toEqual(["US", "DE", "UK", "AP"]);
  await tally(ledger("DE_2"), 1).run();
  expect(await hoursIn(second)).toEqual([1]);
});
