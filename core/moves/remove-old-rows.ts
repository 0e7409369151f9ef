import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { regionOf, type Shard } from "#core/database/shards.ts";
import type { Uses } from "#core/services.ts";
import { type Asker, findDoor, noteEmpty, writeClosed } from "./doors.store.ts";
import { MOST_PAGE_ROWS, ROWS_STAY_MS } from "./limits.ts";
import { type MovedTable, REMOVED_TABLES } from "./moved-tables.store.ts";
import { findStretchEnd, type Key, removeFirst, startOf } from "./pages.store.ts";
import type { MoveEvent } from "./types.ts";

/**
 * Removes the rows of an organisation from every ledger of a region that it has left for an hour. What still reads there
 * has ended by then. It can be stopped and repeated.
 */
export async function* removeOldRows(
  s: Uses<"clock" | "ledger" | "shards">,
  { organisationId, target }: { organisationId: string; target: Shard },
): AsyncGenerator<MoveEvent, void> {
  const others = s.shards.filter((shard) => shard !== target && regionOf(shard) === regionOf(target));
  for (const shard of others) {
    const ledger = s.ledger(shard);
    const door = await findDoor(ledger, organisationId);
    if (door?.state !== "left" || !door.hasRows) continue;
    const until = door.since + ROWS_STAY_MS;
    if (s.clock.now() < until) {
      yield { type: "waits", shard, until };
      continue;
    }
    let rows = 0;
    for (const table of REMOVED_TABLES) rows += await removeFrom(ledger, door, table);
    await noteEmpty(ledger, door);
    yield { type: "removed", shard, rows };
  }
}

/** @throws Error when the organisation is on its way back */
async function removeFrom(ledger: LedgerDatabase, asker: Asker, table: MovedTable): Promise<number> {
  const { organisationId } = asker;
  let rows = 0;
  for (let after: Key | null = startOf(table); after; ) {
    const to = await findStretchEnd(ledger, table, { after, to: null });
    for (let removed = MOST_PAGE_ROWS; removed === MOST_PAGE_ROWS; rows += removed) {
      const slice = removeFirst(ledger, table, { organisationId, range: { after, to } });
      const [result] = await writeClosed(ledger, asker, "left", [slice]);
      removed = result!.results.length;
    }
    after = to;
  }
  return rows;
}
