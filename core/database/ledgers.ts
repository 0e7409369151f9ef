import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Shard } from "./shards.ts";

/** The runtime's database and bucket bindings: one vault bucket and at least one ledger per region. */
export type StorageBindings = {
  DB: D1Database;
} & { [R in Region as `LEDGER_${R}`]: D1Database } & { [R in Region as `VAULT_${R}`]: R2Bucket };

type Database = DrizzleD1Database & { $client: D1Database };
/** The plane keeps the compiler from taking one database for the other; nothing reads it. */
export type ControlDatabase = Database & { readonly plane?: "control" };
export type LedgerDatabase = Database & { readonly plane?: "ledger" };

/** The control plane: people, organisations, connections, money, outbox. */
export const controlDatabase = (bindings: StorageBindings): ControlDatabase => drizzle(bindings.DB);

/** One shard; a region names its first. @throws Error when this deployment has no such shard */
export const ledgerDatabase = (bindings: StorageBindings, shard: Shard): LedgerDatabase =>
  drizzle(shardClient(bindings, shard));

/** The ledger of a client that is found later. */
export const ledgerOn = (client: D1Database): LedgerDatabase => drizzle(client);

/** The binding of a shard. @throws Error when this deployment has no such shard */
export function shardClient(bindings: StorageBindings, shard: Shard): D1Database {
  const client = (bindings as unknown as Record<string, D1Database | undefined>)[`LEDGER_${shard}`];
  // Another ledger instead would hide what the organisation has, and take what it writes.
  if (!client) throw new Error(`LEDGER_${shard} is not bound: this deployment lacks a ledger.`);
  return client;
}

/** The region's bucket. */
export const vaultBucket = (bindings: StorageBindings, region: Region): R2Bucket =>
  bindings[`VAULT_${region}`];
