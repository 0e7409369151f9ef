import type { PlatformConnector, Session } from "#connectors/contract/platform-connector.ts";
import { findPart, readable } from "#core/browsing/index.ts";
import { type ConnectionRow, connectorOf, openSession } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { type ItemRow, requireItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, VaultServices } from "#core/services.ts";
import type { SnapshotReader } from "#core/vault/index.ts";
import { findSnapshot, openVault, openVersion, type SnapshotRow } from "#core/versions/index.ts";

/** What to restore: a version of an item, or a part of one, as `partPathOf` writes it. */
export type RestoredVersion = { itemId: string; snapshotId: string; part: string | null };

/** A version, or a part of one, that can be restored. */
export type Restorable = {
  item: ItemRow;
  connection: ConnectionRow;
  ledger: LedgerDatabase;
  snapshot: SnapshotRow;
  connector: PlatformConnector;
  /** The only part to restore; null = the whole version. */
  part: { path: string; title: string } | null;
  /** Opens the version on first use. @throws AppError `err.version.unreadable` */
  view: () => Promise<SnapshotReader>;
};

/** Maximum title length of a part in a run and in the audit trail. */
const LONGEST_TITLE = 200;

/**
 * Finds a version, or a part of one, for a member who may restore it. Damaged versions are refused.
 *
 * @param of Expected platform and kind; any other item counts as missing.
 * @throws AppError `err.not.found`, `err.role.forbidden`, `err.plan.required`, `err.snapshot.not.restorable`,
 *   `err.version.unreadable`
 */
export async function openRestorable(
  s: AccessServices & VaultServices,
  member: Member,
  version: RestoredVersion,
  of?: { platform: string; kind: string },
): Promise<Restorable> {
  const { item, connection, ledger } = await requireItem(s, member, version.itemId, "manage");
  if (of && (item.platform !== of.platform || item.kind !== of.kind)) throw new AppError("err.not.found");
  const connector = connectorOf(s, item.platform);
  const { parts } = connector.descriptor.supports.restores;
  if (version.part !== null && parts === null) throw new AppError("err.not.found");
  if (item.lastBackupAt === null) throw neverBackedUp(item.name);
  const snapshot = await findSnapshot(ledger, member.organisationId, version.snapshotId);
  if (snapshot?.itemId !== item.id) throw new AppError("err.not.found");
  if (snapshot.verifyState === "failed") throw new AppError("err.snapshot.not.restorable");
  if (snapshot.restoreObstacle !== null) throw notTaken(snapshot.restoreObstacle);
  const { region } = connection;
  let opened: Promise<SnapshotReader> | null = null;
  const view = () => {
    opened ??= readable(async () => {
      const vault = await openVault(s, { organisationId: member.organisationId, region });
      return await openVersion(s, vault, { ...snapshot, region });
    });
    return opened;
  };
  const part =
    version.part === null ? null : await requirePart({ connector, view, itemKind: item.kind }, version.part);
  return { item, connection, ledger, snapshot, connector, part, view };
}

/**
 * Opens a session with the platform for a restore. Unconfirmed accounts are refused.
 *
 * @throws AppError `err.connection.unconfirmed`
 */
export function openRestoreSession(s: SessionServices, { connection }: Restorable): Session {
  if (!connection.isConfirmed) throw new AppError("err.connection.unconfirmed");
  return openSession(s, connection);
}

async function requirePart(
  { connector, view, itemKind }: Pick<Restorable, "connector" | "view"> & { itemKind: string },
  path: string,
): Promise<{ path: string; title: string }> {
  const part = await readable(async () => await findPart({ connector, view: await view(), itemKind }, path));
  if (part === null) throw new AppError("err.not.found");
  return { path, title: part.title.slice(0, LONGEST_TITLE) };
}

/** The error for a version that its platform does not take back. */
export function notTaken(obstacle: string): AppError {
  return new AppError("err.snapshot.not.restorable", { message: `ZIP and clone only: ${obstacle}` });
}

/** The error for an item that has no version yet (spec P-291). */
function neverBackedUp(name: string): AppError {
  return new AppError("err.snapshot.not.restorable", {
    message: `${name} was never backed up, so there is nothing to restore yet.`,
  });
}
