import { regionOf, type Shard } from "#core/database/shards.ts";
import { commitTogether } from "#core/database/statements.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import type { Look, Uses } from "#core/services.ts";
import { DUE_AT_ONCE, REMOVE_AGAIN_MS, TROUBLE_PAUSE_MS } from "./limits.ts";
import { forgetCopies, listDueReplicas, postponeCopies, refuseCopies, startCopies } from "./replica.store.ts";
import { listStorageRows, type StorageRow } from "./storage.store.ts";

type DueReplica = Awaited<ReturnType<typeof listDueReplicas>>[number];

/** The action for a due copy. */
type Turn = "forget" | "remove" | "wait" | "until-reconnected" | "refuse" | "start";

/**
 * Runs every minute: starts runs for due copies and removes files of expired versions. While a storage has trouble,
 * only one copy at a time tries it and the others wait, so a broken bucket costs next to nothing.
 */
export async function catchUpReplicas(
  s: Uses<"clock" | "ids" | "control" | "ledger" | "queue">,
  shard: Shard,
): Promise<Look> {
  const ledger = s.ledger(shard);
  const now = s.clock.now();
  const due = await listDueReplicas(ledger, now, DUE_AT_ONCE);
  if (due.length === 0) return { done: 0, hasMore: false };
  const rows = await listStorageRows(s.control, [...new Set(due.map(({ storageId }) => storageId))]);
  const turns = takeTurns(due, new Map(rows.map((row) => [row.id, row])));
  const region = regionOf(shard);
  const ids = (turn: Turn) => due.filter((_, i) => turns[i] === turn).map(({ snapshotId }) => snapshotId);
  const starts = ids("start").map((snapshotId) => ({ snapshotId, runId: s.ids.next("run") }));
  await forgetCopies(ledger, ids("forget"));
  const results = await commitTogether(ledger, [
    ...startCopies(ledger, starts, { leaseUntil: now, now }),
    postponeCopies(ledger, ids("remove"), now + REMOVE_AGAIN_MS),
    postponeCopies(ledger, ids("wait"), now + TROUBLE_PAUSE_MS),
    postponeCopies(ledger, ids("until-reconnected"), null),
    refuseCopies(ledger, ids("refuse"), "This version failed its check and is not copied."),
  ]);
  const organisations = new Set(
    due.filter((_, i) => turns[i] === "remove").map((each) => each.organisationId),
  );
  const owners = new Map(due.map((each) => [each.snapshotId, each.organisationId]));
  const ownerOf = new Map<string, string>(
    starts.map((start) => [start.runId, owners.get(start.snapshotId) ?? ""]),
  );
  await s.queue.send([
    ...(results[0]?.results ?? []).map(({ id }): JobMessage => {
      const runId = String(id);
      const payload = { region, organisationId: ownerOf.get(runId) ?? "", runId, epoch: 0 };
      return { job: "replicate-version", payload };
    }),
    ...[...organisations].map(
      (organisationId): JobMessage => ({ job: "remove-copies", payload: { region, organisationId } }),
    ),
  ]);
  return { done: due.length, hasMore: due.length === DUE_AT_ONCE };
}

function takeTurns(due: readonly DueReplica[], storages: ReadonlyMap<string, StorageRow>): Turn[] {
  const tried = new Set<string>();
  return due.map((replica) => {
    const storage = storages.get(replica.storageId);
    if (!storage) return "forget";
    if (replica.status === "expired") return storage.status === "revoked" ? "wait" : "remove";
    if (replica.verifyState === "failed") return "refuse";
    if (replica.verifyState !== "verified" && replica.verifyState !== "intact") return "wait";
    if (storage.status === "revoked") return "until-reconnected";
    if (storage.trouble !== null && tried.has(storage.id)) return "wait";
    tried.add(storage.id);
    return "start";
  });
}
