import type { PlatformItem } from "#connectors/contract/platform-connector.ts";
import { recordActions } from "#core/audit/index.ts";
import type { entitlementsOf } from "#core/billing/index.ts";
import type { ConnectionRow } from "#core/connections/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { itemIdIn } from "#core/kernel/ids.ts";
import { nextDue } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import { insertItems } from "./change-items.store.ts";
import { countUsed } from "./item-counts.ts";

/** Items are bound as one value, and D1 allows two megabytes per value. */
const INSERTED_AT_ONCE = 200;

/** Who protects the items: a member, or the product itself. */
export type Protector = { userId: string | null; userName: string; action: "add-item" | "auto-add-item" };

/**
 * Protects items with their schedule and first backup, within the quota even when two callers add at the same moment.
 * Only callers that add to accounts in different regions can exceed it together, by what the faster one adds, because
 * two ledgers share no transaction. Returns the items that were actually added.
 */
export async function protectItems(
  s: Uses<"memory" | "clock" | "ids" | "control" | "ledger" | "queue">,
  input: {
    connection: ConnectionRow;
    placeId: string | null;
    found: readonly PlatformItem[];
    entitlements: Pick<Awaited<ReturnType<typeof entitlementsOf>>, "itemLimit" | "periodMs">;
    by: Protector;
  },
): Promise<{ id: string; item: PlatformItem }[]> {
  if (input.found.length === 0) return [];
  const { connection, placeId, entitlements, by } = input;
  const { organisationId, platform } = connection;
  const now = s.clock.now();
  const rows = input.found.map((item) => {
    const id = itemIdIn(s.ids, connection.region);
    return {
      id,
      item,
      dueAt: nextDue(id, now, entitlements.periodMs),
      run: {
        id: s.ids.next("run"),
        organisationId,
        connectionId: connection.id,
        itemId: id,
        platform,
        kind: "backup" as const,
        trigger: by.userId === null ? ("system" as const) : ("user" as const),
        order: null,
        snapshotId: null,
        createdBy: by.userId,
      },
    };
  });
  const owner = { organisationId, connectionId: connection.id, platform, placeId };
  const elsewhere = await countUsed(s, organisationId, platform, connection.region);
  const facts = { now, periodMs: entitlements.periodMs, limit: entitlements.itemLimit - elsewhere };
  const ids = new Set<string>();
  for (let at = 0; at < rows.length; at += INSERTED_AT_ONCE) {
    const some = rows.slice(at, at + INSERTED_AT_ONCE);
    for (const id of await insertItems(s.ledger(connection.region, organisationId), owner, some, facts))
      ids.add(id);
  }
  const added = rows.filter((row) => ids.has(row.id));
  await recordActions(
    s,
    added.map(({ id, item }) => ({
      organisationId,
      userId: by.userId,
      userName: by.userName,
      platform,
      action: by.action,
      subject: item.fullName,
      occasion: `add-item:${id}`,
    })),
  );
  await s.queue.send(
    added.map(
      (row) =>
        ({
          job: "back-up-item",
          payload: { region: connection.region, organisationId, runId: row.run.id, epoch: 0 },
        }) satisfies JobMessage,
    ),
  );
  return added.map(({ id, item }) => ({ id, item }));
}
