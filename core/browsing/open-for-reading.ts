import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { connectorOf } from "#core/connections/index.ts";
import { type ItemRow, requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, VaultServices } from "#core/services.ts";
import type { SnapshotReader } from "#core/vault/index.ts";
import { findSnapshot, openVault, openVersion, type SnapshotRow } from "#core/versions/index.ts";
import { readable } from "./readable-or-told.ts";

/** A version opened for reading. */
export type OpenVersion = {
  item: ItemRow;
  snapshot: SnapshotRow;
  region: Region;
  view: SnapshotReader;
  connector: PlatformConnector;
};

/** The version to open. */
export type VersionOrder = { itemId: string; snapshotId: string };

/**
 * Opens a version for a member to browse. Reading exports data just as a ZIP does, so it needs the same right. A
 * foreign version and a missing one throw the same error.
 *
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.snapshot.not.restorable`
 */
export async function openForReading(
  s: AccessServices & VaultServices,
  member: Member,
  order: VersionOrder,
): Promise<OpenVersion> {
  const { item, connection, ledger } = await requireItem(s, member, order.itemId, "manage");
  const snapshot = await findSnapshot(ledger, member.organisationId, order.snapshotId);
  if (snapshot?.itemId !== item.id) throw new AppError("err.not.found");
  const { region } = connection;
  const vault = await openVault(s, { organisationId: member.organisationId, region });
  const view = await readable(() => openVersion(s, vault, { ...snapshot, region }));
  return { item, snapshot, region, view, connector: connectorOf(s, item.platform) };
}
