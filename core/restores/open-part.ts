import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { View } from "#connectors/contract/view.ts";
import { readable, viewsOf } from "#core/browsing/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { type ConnectionRow, connectorOf, type ItemRow, requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import type { EntryFacts, SnapshotReader } from "#core/vault/index.ts";
import { findSnapshot, openVault, openVersion, type SnapshotRow } from "#core/versions/index.ts";

/** A part of a version that can be restored on its own. */
export type OpenPart = {
  item: ItemRow;
  connection: ConnectionRow;
  ledger: LedgerDatabase;
  snapshot: SnapshotRow;
  view: SnapshotReader;
  entry: EntryFacts;
  connector: PlatformConnector & Required<Pick<PlatformConnector, "planPart" | "restorePart">>;
};

/**
 * Opens a part of a version, e.g. a column or card, for a member who may restore it. Refuses a version that failed its
 * check.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.snapshot.not.restorable`,
 *   `err.version.unreadable`
 */
export async function openRestorablePart(
  s: CoreServices,
  member: Member,
  order: { itemId: string; snapshotId: string; path: string },
): Promise<OpenPart> {
  const { item, connection, ledger } = await requireItem(s, member, order.itemId, "manage");
  const snapshot = await findSnapshot(ledger, member.organisationId, order.snapshotId);
  if (snapshot?.itemId !== item.id) throw new AppError("err.not.found");
  if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
  const connector = connectorOf(s, item.platform);
  const { planPart, restorePart } = connector;
  if (!planPart || !restorePart) throw new AppError("err.not.found");
  const { region } = connection;
  const vault = await openVault(s, { organisationId: member.organisationId, region });
  return await readable(async () => {
    const view = await openVersion(s, vault, { ...snapshot, region });
    const entry = await view.find(order.path);
    if (entry === null || !(await isPart(entry, await viewsOf({ connector, view }))))
      throw new AppError("err.not.found");
    return {
      item,
      connection,
      ledger,
      snapshot,
      view,
      entry,
      connector: { ...connector, planPart, restorePart },
    };
  });
}

/** Whether some view shows the entry as a column, or as a part of its own. */
async function isPart(entry: EntryFacts, views: readonly View[]): Promise<boolean> {
  for (const view of views) {
    if (view.kind === "files") continue;
    const role = (await view.open()).roleOf(entry)?.role;
    if (role === "part" || role === "column") return true;
  }
  return false;
}
