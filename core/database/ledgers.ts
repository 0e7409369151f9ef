import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { Region } from "#core/kernel/platform-id.ts";

/** The runtime's database and bucket bindings: one ledger and one vault bucket per region. */
export type StorageBindings = {
  DB: D1Database;
} & { [R in Region as `LEDGER_${R}`]: D1Database } & { [R in Region as `VAULT_${R}`]: R2Bucket };

type Database = DrizzleD1Database & { $client: D1Database };
/** The plane keeps the compiler from taking one database for the other; nothing reads it. */
export type ControlDatabase = Database & { readonly plane?: "control" };
export type LedgerDatabase = Database & { readonly plane?: "ledger" };

/** The control plane: people, organisations, connections, money, outbox. */
export const controlDatabase = (bindings: StorageBindings): ControlDatabase => drizzle(bindings.DB);

/** The ledger of one region. */
export const ledgerDatabase = (bindings: StorageBindings, region: Region): LedgerDatabase =>
  drizzle(bindings[`LEDGER_${region}`]);

/** The region's bucket. */
export const vaultBucket = (bindings: StorageBindings, region: Region): R2Bucket =>
  bindings[`VAULT_${region}`];
