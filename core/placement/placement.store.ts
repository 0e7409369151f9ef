import { eq, sql } from "drizzle-orm";
import { ledgerShard, organisation } from "#core/database/control/index.ts";
import type { ControlDatabase, LedgerDatabase } from "#core/database/ledgers.ts";
import { regionOf, type Shard, type Shards } from "#core/database/shards.ts";

/** The shards of an organisation; none for one that is not known. */
export async function findShards(control: ControlDatabase, organisationId: string): Promise<Shards> {
  const row = await control
    .select({ shards: organisation.shards })
    .from(organisation)
    .where(eq(organisation.id, organisationId))
    .get();
  return row?.shards ?? {};
}

/** The bytes that a ledger takes. */
export async function sizeOf(ledger: LedgerDatabase): Promise<number> {
  const { meta } = await ledger.$client.prepare("SELECT 1").run();
  return meta.size_after;
}

/** Stores the sizes of ledgers. `since` stays that of the first time. */
export async function saveSizes(
  control: ControlDatabase,
  sizes: readonly { shard: Shard; sizeBytes: number }[],
  now: number,
): Promise<void> {
  if (sizes.length === 0) return;
  await control
    .insert(ledgerShard)
    .values(
      sizes.map(({ shard, sizeBytes }) => ({
        name: shard,
        region: regionOf(shard),
        sizeBytes,
        since: now,
        measuredAt: now,
      })),
    )
    .onConflictDoUpdate({
      target: ledgerShard.name,
      set: { sizeBytes: sql`excluded.size_bytes`, measuredAt: now },
    });
}
