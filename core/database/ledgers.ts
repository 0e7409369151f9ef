import { drizzle } from "drizzle-orm/d1";
import type { Region } from "#core/kernel/platform-id.ts";
import * as control from "./control/index.ts";
import * as ledger from "./ledger/index.ts";

/** The databases and buckets as the runtime binds them; one ledger and one vault bucket per region. */
export type StorageBindings = {
  DB: D1Database;
} & { [R in Region as `LEDGER_${R}`]: D1Database } & { [R in Region as `VAULT_${R}`]: R2Bucket };

/** The control plane: people, organisations, connections, money, outbox. */
export const controlDatabase = (bindings: StorageBindings) => drizzle(bindings.DB, { schema: control });
export type ControlDatabase = ReturnType<typeof controlDatabase>;

/** The ledger of one region. */
export const ledgerDatabase = (bindings: StorageBindings, region: Region) =>
  drizzle(bindings[`LEDGER_${region}`], { schema: ledger });
export type LedgerDatabase = ReturnType<typeof ledgerDatabase>;

/** The region's bucket. */
export const vaultBucket = (bindings: StorageBindings, region: Region): R2Bucket =>
  bindings[`VAULT_${region}`];
