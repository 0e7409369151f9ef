import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { connectorOf } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { type ItemRow, ledgerOfItem, requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { type Member, rememberOrganisationKey } from "#core/organisations/index.ts";
import type { AccessServices, Uses, VaultServices } from "#core/services.ts";
import type { SnapshotReader } from "#core/vault/index.ts";
import { findWholeVersion, openVaultWith, openVersion, type SnapshotRow } from "#core/versions/index.ts";
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
  const open = async () => openRows(s, await readRows(s, member, order));
  // The parts of a page share what they have opened.
  return s.memory ? s.memory(keyOf(order.itemId, order.snapshotId), open) : open();
}

/** Starts opening a version in parallel with a page's other queries. Errors are thrown by `openForReading`. */
export function openAhead(s: AccessServices & VaultServices, member: Member, order: VersionOrder): void {
  if (s.memory) openForReading(s, member, order).catch(() => undefined);
}

/** The same for the previous version, if there is one. Returns when that version is identified. */
export async function openBefore(
  s: AccessServices & VaultServices,
  member: Member,
  order: VersionOrder,
): Promise<void> {
  const { memory } = s;
  const rows = memory && (await readRows(s, member, order, true).catch(() => null));
  if (!memory || !rows) return;
  memory(keyOf(order.itemId, rows.found.snapshot.id), () => openRows(s, rows)).catch(() => undefined);
}

const keyOf = (itemId: string, snapshotId: string) => `version:${itemId}:${snapshotId}`;

/** Reads a version's rows in one round trip. They are returned only if the member has the right. */
async function readRows(
  s: AccessServices & Uses<"settings">,
  member: Member,
  order: VersionOrder,
  isBefore = false,
) {
  const { organisationId } = member;
  const find = (ledger: LedgerDatabase) =>
    findWholeVersion(ledger, organisationId, order.snapshotId, isBefore);
  const known = ledgerOfItem(s, member.organisationId, order.itemId);
  const [{ item, connection, ledger }, early, organisationKey] = await Promise.all([
    requireItem(s, member, order.itemId, "manage"),
    known && find(known),
    rememberOrganisationKey(s, organisationId, s.memory)(),
  ]);
  const found = known ? early : await find(ledger);
  if (found?.snapshot.itemId !== item.id) throw new AppError("err.not.found");
  return { item, region: connection.region, found, organisationKey };
}

async function openRows(
  s: Uses<"clock" | "ids" | "ledger" | "bucket" | "connectors">,
  { item, region, found, organisationKey }: Awaited<ReturnType<typeof readRows>>,
): Promise<OpenVersion> {
  const { snapshot, ...rest } = found;
  const vault = openVaultWith(s, { organisationId: item.organisationId, region }, organisationKey);
  const view = await readable(() => openVersion(s, vault, { ...snapshot, region }, rest));
  return { item, snapshot, region, view, connector: connectorOf(s, item.platform) };
}
