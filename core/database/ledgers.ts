import { drizzle } from "drizzle-orm/d1";
import type { Region } from "#core/kernel/platform-id.ts";
import * as control from "./control/index.ts";
import * as ledger from "./ledger/index.ts";

/** The runtime's database and bucket bindings: one ledger and one vault bucket per region. */
export type StorageBindings = {
  DB: D1Database;
} & { [R in Region as `LEDGER_${R}`]: D1Database } & { [R in Region as `VAULT_${R}`]: R2Bucket };

/** The control plane: people, organisations, connections, money, outbox. */
export const controlDatabase = (bindings: StorageBindings) => openControl(bindings.DB);
export type ControlDatabase = ReturnType<typeof controlDatabase>;

/** The ledger of one region. */
export const ledgerDatabase = (bindings: StorageBindings, region: Region) =>
  openLedger(bindings[`LEDGER_${region}`]);
export type LedgerDatabase = ReturnType<typeof ledgerDatabase>;

const openControl = oncePerBinding((database) => drizzle(database, { schema: control }));
const openLedger = oncePerBinding((database) => drizzle(database, { schema: ledger }));

/**
 * Opens each database once: opening reads the whole schema, which costs as much as several small queries. It has no
 * state.
 */
function oncePerBinding<T>(open: (database: D1Database) => T): (database: D1Database) => T {
  const opened = new WeakMap<D1Database, T>();
  return (database) => {
    // A Worker without the binding still serves what needs no database, above all the maintenance screen.
    if (!database) return open(database);
    const known = opened.get(database) ?? open(database);
    opened.set(database, known);
    return known;
  };
}

/** The region's bucket. */
export const vaultBucket = (bindings: StorageBindings, region: Region): R2Bucket =>
  bindings[`VAULT_${region}`];
