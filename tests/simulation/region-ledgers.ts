import { MINUTE_MS } from "#core/kernel/clock.ts";
import { type MemoryDatabase, openMigrated } from "./memory-databases.ts";

/** The region in which the account's data is. The other ledgers stay empty. */
export const REGION = "DE" as const;
/** The ledgers of the region: the organisation begins in the first, and moves between them. */
export const SHARDS = ["DE", "DE_2"] as const;
export type Home = (typeof SHARDS)[number];

/** Reads and changes rows past all faults. */
export type Rows = Pick<MemoryDatabase, "rows" | "run">;

/** The ledgers of the region, and where the organisation is. */
export type RegionLedgers = Record<Home, MemoryDatabase> & {
  /** Where the control database says that the organisation is. */
  home(): Home;
  away(): Home;
  /** Whether a ledger has items or runs of the organisation. */
  hasRows(shard: Home): boolean;
  /** Where a copy of a session says so: up to a minute after a move this may be the ledger before. */
  homeOfSession(isCopy: boolean): Home;
  /** Notes a move. Called after each commit of a database. */
  notice(): void;
  /** The ledger in which the organisation is at the time of the call. */
  own: Rows;
};

/** How long a page may serve a copy of its session (DECISIONS 116). */
const COPIES_LIVE_MS = MINUTE_MS;

/** Opens the empty ledgers of the region. */
export function openRegionLedgers(root: string, control: Rows, now: () => number): RegionLedgers {
  const [first, second] = SHARDS.map(() => openMigrated(root, "ledger"));
  const ledgers: Record<Home, MemoryDatabase> = { DE: first!, DE_2: second! };
  const home = (): Home =>
    control.rows<{ home: Home }>(
      `SELECT coalesce(shards->>'$.${REGION}', '${REGION}') AS home FROM organisation LIMIT 1`,
    )[0]?.home ?? REGION;
  let [last, before, movedAt] = [home(), home(), now()];
  return {
    ...ledgers,
    home,
    away: () => SHARDS.find((shard) => shard !== home())!,
    hasRows: (shard) =>
      ledgers[shard].rows("SELECT 1 FROM item UNION ALL SELECT 1 FROM run LIMIT 1").length > 0,
    homeOfSession: (isCopy) => (isCopy && now() - movedAt < COPIES_LIVE_MS ? before : home()),
    notice() {
      const found = home();
      if (found === last) return;
      [last, before, movedAt] = [found, last, now()];
    },
    own: {
      rows: (text, ...values) => ledgers[home()].rows(text, ...values),
      run: (text, ...values) => ledgers[home()].run(text, ...values),
    },
  };
}
