import {
  type ControlDatabase,
  ledgerDatabase,
  ledgerOn,
  type StorageBindings,
  shardClient,
} from "#core/database/ledgers.ts";
import { placedDatabase } from "#core/database/placed-database.ts";
import { listShards, regionOf, type Shards } from "#core/database/shards.ts";
import type { CoreServices } from "#core/services.ts";
import { findShards } from "./placement.store.ts";

/** An organisation whose shards are known, e.g. from the session. */
type KnownPlace = { organisationId: string; shards: Shards | null };

/**
 * Opens ledgers for one invocation. In a region with one ledger there is nothing to find. Elsewhere the control database
 * names the organisation's, with the first statement and once per invocation; `known` saves that query.
 */
export function openLedgers(
  bindings: StorageBindings,
  control: ControlDatabase,
  known?: KnownPlace,
): CoreServices["ledger"] {
  const split = new Set(
    listShards(bindings).flatMap((shard) => (shard === regionOf(shard) ? [] : [regionOf(shard)])),
  );
  const held = new Map<string, Promise<Shards>>();
  const shardsOf = (organisationId: string): Promise<Shards> => {
    const found = held.get(organisationId) ?? findShards(control, organisationId);
    held.set(organisationId, found);
    // After a fault the next statement asks again.
    found.catch(() => held.delete(organisationId));
    return found;
  };
  return (at, organisationId) => {
    // A message of a release that had one ledger per region names no organisation: the first is meant.
    if (!organisationId) return ledgerDatabase(bindings, at);
    const region = regionOf(at);
    // Also where the region has one ledger: this deployment may be older than the organisation's place.
    if (known?.organisationId === organisationId)
      return ledgerDatabase(bindings, known.shards?.[region] ?? region);
    if (!split.has(region)) return ledgerDatabase(bindings, region);
    return ledgerOn(
      placedDatabase(async () => shardClient(bindings, (await shardsOf(organisationId))[region] ?? region)),
    );
  };
}
