import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ledgerDatabase } from "#core/database/ledgers.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { listItemCountRows } from "./item-counts.store.ts";
import { countsOfList, holdingsOf } from "./item-counts.ts";
import { countMatches, countStaleAndAlarmed, listItemRows, type PageStart } from "./items.store.ts";

const NOW = Date.UTC(2026, 10, 3);
const PER_PAGE = 10;
let lists = 0;

/** A ledger that sums the rows that D1 reports as read. */
function watched() {
  let rowsRead = 0;
  const seen = <T extends { meta: unknown }>(result: T): T => {
    rowsRead += (result.meta as { rows_read: number }).rows_read;
    return result;
  };
  const wrap = (prepared: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(prepared, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        if (name === "all") return async () => seen(await target.all());
        if (name === "raw") {
          return async () => {
            const { results } = seen(await target.all<Record<string, unknown>>());
            return results.map((row) => Object.values(row));
          };
        }
        return Reflect.get(target, name).bind(target);
      },
    });
  const client = new Proxy(env.LEDGER_DE, {
    get: (target, name) =>
      name === "prepare"
        ? (sql: string) => wrap(target.prepare(sql))
        : Reflect.get(target, name).bind(target),
  });
  const ledger = ledgerDatabase({ ...env, LEDGER_DE: client }, "DE");
  return {
    ledger,
    read: async <T>(work: () => Promise<T>): Promise<[T, number]> => {
      const before = rowsRead;
      const answer = await work();
      return [answer, rowsRead - before];
    },
  };
}

/** Creates a connection with this many items. Two items share each name. */
async function filled(items: number, placeOf: (n: number) => string | null = () => "plc_1") {
  const mark = `lp${++lists}-${crypto.randomUUID().slice(0, 6)}`;
  const scope = { organisationId: `org_${mark}`, connectionId: `con_${mark}`, kind: "board", now: NOW };
  const rows = Array.from({ length: items }, (_, n) => [
    `itm_${mark}_${String(n).padStart(6, "0")}`,
    `name ${String(Math.floor(n / 2)).padStart(6, "0")}`,
    placeOf(n),
    n,
  ]);
  for (let at = 0; at < rows.length; at += 500) {
    await env.LEDGER_DE.prepare(
      `INSERT INTO item (id, organisation_id, connection_id, place_id, platform, kind, external_id, name, full_name,
         name_folded, visibility, details, status, is_daily, size_bytes, created_at, last_backup_at)
       SELECT value->>0, ?2, ?3, value->>2, 'p', ?4, value->>3, value->>1, value->>1, value->>1, 'private', '{}',
         'backuped', 1, 0, 1, ?5 FROM json_each(?1)`,
    )
      .bind(
        JSON.stringify(rows.slice(at, at + 500)),
        scope.organisationId,
        scope.connectionId,
        scope.kind,
        NOW - HOUR_MS,
      )
      .run();
  }
  return { scope, ids: rows.map(([id]) => String(id)) };
}

const page = (start: PageStart, isDescending = false) => ({
  name: null,
  filter: "all" as const,
  start,
  perPage: PER_PAGE,
  isDescending,
});

test.each([
  ["a place", "plc_1"],
  ["no place", null],
] as const)(
  "a page of a list in %s reads at most three times its rows, at any offset",
  async (_, placeId) => {
    const { scope, ids } = await filled(4_000, () => placeId);
    const { ledger, read } = watched();
    const query = { ...scope, placeId };
    for (const depth of [0, 1, 200, 399]) {
      const behind = ids[depth * PER_PAGE - 1];
      const row = {
        id: behind ?? "",
        nameFolded: `name ${String(Math.floor((depth * PER_PAGE - 1) / 2)).padStart(6, "0")}`,
      };
      const start: PageStart = behind === undefined ? { kind: "page", page: 0 } : { kind: "after", row };
      const [rows, rowsRead] = await read(() => listItemRows(ledger, { ...query, ...page(start) }));
      expect(rows.map(({ id }) => id)).toEqual(ids.slice(depth * PER_PAGE, (depth + 1) * PER_PAGE));
      expect(rowsRead).toBeLessThanOrEqual(3 * PER_PAGE);
      const [counts, countReads] = await read(async () => ({
        ...countsOfList(await listItemCountRows(ledger, scope.organisationId), query),
        ...(await countStaleAndAlarmed(ledger, query, 100)),
      }));
      expect(counts).toEqual({ all: 4_000, failed: 0, alarm: 0, stale: 0, never: 0, paused: 0, deleted: 0 });
      expect(rowsRead + countReads).toBeLessThanOrEqual(3 * PER_PAGE);
    }
  },
);

test("pages have no gaps or duplicates, in both directions and orders, with equal names", async () => {
  const { scope, ids } = await filled(37);
  const ledger = ledgerDatabase(env, "DE");
  const query = { ...scope, placeId: "plc_1" };
  for (const isDescending of [false, true]) {
    const wanted = isDescending ? ids.toReversed() : ids;
    const forward: string[] = [];
    let rows = await listItemRows(ledger, { ...query, ...page({ kind: "page", page: 0 }, isDescending) });
    for (;;) {
      forward.push(...rows.map(({ id }) => id));
      const next = await listItemRows(ledger, {
        ...query,
        ...page({ kind: "after", row: rows.at(-1)! }, isDescending),
      });
      if (next.length === 0) break;
      rows = next;
    }
    expect(forward).toEqual(wanted);
    const back = await listItemRows(ledger, {
      ...query,
      ...page({ kind: "before", row: rows[0]! }, isDescending),
    });
    expect(back.map(({ id }) => id)).toEqual(wanted.slice(20, 30));
    const numbered = await listItemRows(ledger, {
      ...query,
      ...page({ kind: "page", page: 2 }, isDescending),
    });
    expect(numbered.map(({ id }) => id)).toEqual(wanted.slice(20, 30));
  }
});

test("counters stay equal to the counts after every change of an item", async () => {
  const { scope, ids } = await filled(12, (n) => (n < 8 ? "plc_1" : null));
  const ledger = ledgerDatabase(env, "DE");
  const change = (sql: string, ...items: string[]) =>
    env.LEDGER_DE.prepare(`${sql} WHERE id IN (SELECT value FROM json_each(?1))`)
      .bind(JSON.stringify(items))
      .run();
  await change("UPDATE item SET status = 'initialized', last_backup_at = NULL", ids[0]!, ids[9]!);
  await change("UPDATE item SET last_error = 'x'", ids[1]!, ids[2]!);
  await change("UPDATE item SET last_error = 'y'", ids[1]!);
  await change("UPDATE item SET last_error = NULL", ids[2]!);
  await change("UPDATE item SET is_daily = 0", ids[3]!, ids[4]!);
  await change("UPDATE item SET status = 'deleted'", ids[4]!, ids[5]!);
  await change("UPDATE item SET last_backup_at = 1", ids[6]!, ids[7]!, ids[3]!);
  await change("DELETE FROM item", ids[10]!, ids[5]!);
  // Two alarms of one item count once; one that was acknowledged and one about age do not.
  await raise(scope.organisationId, ids[7]!, "size-cliff", "a");
  await raise(scope.organisationId, ids[7]!, "mass-deletion", "b");
  await raise(scope.organisationId, ids[8]!, "history-rewrite", "c");
  await raise(scope.organisationId, ids[3]!, "size-cliff", "d", NOW);
  await raise(scope.organisationId, ids[6]!, "stale", "e");
  const counters = await listItemCountRows(ledger, scope.organisationId);
  const expected = {
    all: { all: 10, failed: 1, alarm: 2, stale: 2, never: 2, paused: 1, deleted: 1 },
    inPlace: { all: 7, failed: 1, alarm: 1, stale: 2, never: 1, paused: 1, deleted: 1 },
  };
  for (const [placeId, counts] of [
    [null, expected.all],
    ["plc_1", expected.inPlace],
  ] as const) {
    const query = { ...scope, placeId };
    const measured = await countStaleAndAlarmed(ledger, query, 100);
    expect({ ...countsOfList(counters, query), ...measured }).toEqual(counts);
    expect(await countMatches(ledger, { ...query, name: "name", filter: "all" })).toEqual(counts);
  }
  expect(await countStaleAndAlarmed(ledger, { ...scope, placeId: null }, 1)).toEqual({ stale: 1, alarm: 1 });
  expect(holdingsOf(counters, scope.connectionId)).toEqual([
    { kind: scope.kind, placeId: "plc_1", count: 7 },
    { kind: scope.kind, placeId: null, count: 3 },
  ]);
});

/** Raises an alarm about a version of an item. */
async function raise(
  organisationId: string,
  itemId: string,
  kind: string,
  snapshotId: string,
  acknowledgedAt: number | null = null,
): Promise<void> {
  await env.LEDGER_DE.prepare(
    `INSERT INTO alarm (id, organisation_id, item_id, kind, snapshot_id, message, created_at, acknowledged_at)
     VALUES (?1, ?2, ?3, ?4, ?5, '', 1, ?6)`,
  )
    .bind(crypto.randomUUID(), organisationId, itemId, kind, snapshotId, acknowledgedAt)
    .run();
}
