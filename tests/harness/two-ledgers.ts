import { env } from "cloudflare:workers";
import { DEMO_BUCKET } from "#connectors/storages/s3/simulator/demo-bucket.ts";
import { ledgerOn } from "#core/database/ledgers.ts";
import { requestZip } from "#core/exports/index.ts";
import { type ItemView, removeItems } from "#core/inventory/index.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { type MoveEvent, moveOrganisation } from "#core/moves/index.ts";
import { measureShards } from "#core/placement/index.ts";
import { addKeyStorage } from "#core/replicas/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { sweepLostRuns } from "#core/runs/index.ts";
import type { Services } from "#workers/services.ts";
import { findFaults } from "./check-vault.ts";
import { backUpNow, newestSnapshot } from "./flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "./flow-world.ts";
import { furtherLedger } from "./further-ledger.ts";
import { addAlarm, addCompanion, addItem } from "./ledger-rows.ts";
import { comparable, comparableView, OF_LEDGER } from "./ledger-tables.ts";
import { type OutsideS3, openS3 } from "./outside.ts";
import { letPass } from "./replica-steps.ts";
import { listTables } from "./tables.ts";

/** A world whose region has two ledgers, and an organisation in the first with rows in every table. */
export type TwoLedgers = {
  world: FlowWorld;
  s3: OutsideS3;
  first: D1Database;
  second: D1Database;
  item: ItemView;
  /** The bucket of the customer's storage. */
  bucketName: string;
  /** Another organisation, in the first ledger. */
  strangerId: string;
  /** Services of a new isolate: it remembers no place. */
  fresh: () => Services;
  close: () => Promise<unknown>;
};

/** Opens the world, and lets the product fill the first ledger. */
export async function openTwoLedgers(): Promise<TwoLedgers> {
  const second = await furtherLedger();
  const s3 = await openS3();
  const world = await openFlowWorld({ vars: s3.vars, ledgers: { LEDGER_DE_2: second } });
  const first = env.LEDGER_DE;
  await addKeyStorage(world.services, world.member, {
    kind: "s3",
    platform: PLATFORM,
    keys: { ...DEMO_BUCKET },
  });
  const item = await world.protect("ledgered", "tiny");
  const gone = await world.protect("gone", "tiny");
  await world.drain();
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await backUpNow(world, item.id);
  await letPass(world, HOUR_MS);
  const version = await newestSnapshot(world, item.id);
  await requestZip(world.services, world.member, {
    platform: PLATFORM,
    itemId: item.id,
    snapshotId: version.id,
  });
  await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: version.id, name: "ledgered-again", place: null }],
    placeId: null,
    emails: [],
  });
  await world.drain();
  // Its copies in the storage still have to go.
  await removeItems(world.services, world.member, { platform: PLATFORM, kind: KIND, itemIds: [gone.id] });
  await addRest(world, item, version.id);
  const stranger = await world.stranger();
  await addItem({
    id: "itm_stranger",
    organisationId: stranger.organisationId,
    connectionId: "con_stranger",
    isDaily: false,
  });
  // A ledger takes organisations an hour after it was measured first.
  await measureShards(world.services);
  world.clock.advance(HOUR_MS);
  return {
    world,
    s3,
    first,
    second,
    item,
    bucketName: DEMO_BUCKET.bucketName,
    strangerId: stranger.organisationId,
    fresh: () => world.bear(null).services,
    close: () => Promise.all([world.close(), s3.close()]),
  };
}

/** Rows of tables that the product fills in other situations only. */
async function addRest(world: FlowWorld, item: ItemView, snapshotId: string): Promise<void> {
  const { organisationId, userId } = world.member;
  await addAlarm({ id: "alm_a", organisationId, itemId: item.id, snapshotId });
  const [pack] = await world.rows<{ id: string }>("SELECT id FROM object WHERE item_id = ? LIMIT 1", item.id);
  await addCompanion({ sourceObjectId: pack!.id, objectId: pack!.id });
  const insert = (table: string, columns: string, ...values: string[]) =>
    env.LEDGER_DE.prepare(
      `INSERT INTO ${table} (organisation_id, connection_id, ${columns})
       SELECT organisation_id, connection_id, 1, ${values.map((_, at) => `?${at + 2}`).join(", ")} FROM item WHERE id = ?1`,
    ).bind(item.id, ...values);
  await env.LEDGER_DE.batch([
    insert("backup_request", "created_at, id, platform, created_by", "brq_a", "nothing", userId),
    // SQLite and JavaScript do not agree on the order of these two.
    insert("seen_item", "seen_at, place_id, kind, external_id", "plc_a", "repository", "\u{1f600}"),
    insert("seen_item", "seen_at, place_id, kind, external_id", "plc_a", "repository", "\uffee"),
  ]);
}

/** The tables of a ledger with rows of organisations. */
export const listOwnedTables = async (ledger: D1Database) =>
  (await listTables(ledger)).filter((name) => !OF_LEDGER.includes(name)).sort();

/** How rows that name no organisation are told apart: by their item or run. */
const OWNERS: Record<string, string> = {
  companion: "item_id IN (SELECT id FROM item WHERE organisation_id = ?1)",
  restore_journal: "run_id IN (SELECT id FROM run WHERE organisation_id = ?1)",
};

/** Every row that an organisation has in a ledger, by table. Tables without any are left out. */
export async function rowsOf(
  ledger: D1Database,
  organisationId: string,
): Promise<Record<string, Record<string, unknown>[]>> {
  const found = await Promise.all(
    (await listOwnedTables(ledger)).map(async (name) => {
      const { results } = await ledger
        .prepare(`SELECT * FROM "${comparableView(name)}" WHERE ${OWNERS[name] ?? "organisation_id = ?1"}`)
        .bind(organisationId)
        .all();
      return [
        comparableView(name),
        results.map(comparable).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      ] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
}

/** Runs the command to its end. Returns what it did. */
export async function move(
  services: Services,
  organisationId: string,
  target: "DE" | "DE_2",
): Promise<MoveEvent[]> {
  const events: MoveEvent[] = [];
  for await (const event of moveOrganisation(services, { organisationId, target })) events.push(event);
  return events;
}

/** Delivers messages and lets leases end until no run of a ledger is open. */
export async function finishWork({ world }: TwoLedgers, ledger: D1Database): Promise<void> {
  for (let step = 0; step < 500; step++) {
    const letter = world.queue.take(world.clock.now());
    if (letter) {
      await world.deliver(letter);
      continue;
    }
    const open = await ledger.prepare("SELECT 1 FROM run WHERE status IN ('queued', 'running')").first();
    if (!open && world.queue.nextAt() === null) return;
    world.clock.advance(MINUTE_MS);
    for (const shard of ["DE", "DE_2"] as const)
      await world.tick((services) => sweepLostRuns(services, shard));
  }
  throw new Error("There is still work.");
}

/** The world as a new isolate sees it, and the rows of one of its ledgers. */
export const worldOf = ({ world, fresh }: TwoLedgers, ledger: D1Database): FlowWorld => ({
  ...world,
  services: fresh(),
  ledger,
  rows: async <T>(sql: string, ...values: unknown[]) =>
    (
      await ledger
        .prepare(sql)
        .bind(...values)
        .all<T>()
    ).results,
});

/** Faults of the vault as one of the ledgers describes it. */
export function findFaultsOf(t: TwoLedgers, ledger: D1Database): Promise<string[]> {
  const world = worldOf(t, ledger);
  return findFaults({ ...world, services: { ...world.services, ledger: () => ledgerOn(ledger) } });
}
