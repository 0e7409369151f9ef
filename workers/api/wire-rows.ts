import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ConnectionView, PlaceView } from "#core/connections/views.ts";
import type { AvailableItemView, ItemView } from "#core/inventory/views.ts";
import type { StorageOverview } from "#core/replicas/views.ts";
import type { RestorePointView } from "#core/restores/list-restore-points.ts";

/** Converts our views to the spec's names (part 2 section 3). `view` carries the whole view for screens. */

const RUNNING = { backup: "backing_up_process", restore: "restoring_process" } as const;

/** A backup item row. A flag marks items of a platform's second kind (gists and snippets). */
export function itemRow(
  view: ItemView,
  { isSub, permissionLevels }: { isSub: boolean; permissionLevels?: PlatformConnector["permissionLevels"] },
) {
  const run = view.activeRun?.kind;
  return {
    id: view.id,
    name: view.name,
    size: view.sizeBytes,
    lastBackup: view.lastBackupAt ?? "-",
    type: view.kind,
    isActive: view.isDaily,
    is_daily_backed_up: view.isDaily,
    isDailyActive: view.isDaily,
    actionProcess: run === "backup" || run === "restore" ? RUNNING[run] : null,
    status: view.status,
    isRepo: !isSub,
    description: view.description,
    is_private: view.visibility === "private",
    visibility: view.visibility,
    ...(permissionLevels ? { permissionLevel: permissionLevels[view.visibility] } : {}),
    externalId: view.externalId,
    node_id: view.nodeId,
    organizationName: ownerOf(view.fullName),
    connection_id: view.connectionId,
    view,
  };
}

/** A backup history row. `download_zip_url` is only set while the download works. */
export function historyRow<R extends HistoryRow>(view: R) {
  const isRunning = view.status === "running" || view.status === "queued";
  return {
    key: view.key,
    date: view.date,
    type: view.type,
    size: view.sizeBytes,
    sizeSub: view.newBytes,
    data_size: view.newBytes ?? 0,
    status: view.status,
    versions: view.snapshotId,
    versionid: view.snapshotId,
    action_process: isRunning ? RUNNING[view.type] : null,
    error_message: view.errorText,
    download_zip_url: view.zip.url,
    zip_status: view.zip.status,
    expire_date_zip_url: view.zip.expiresAt,
    canRestore: view.canRestore,
    userCanRestore: view.canRestore,
    extra_fields: { fullBackupSize: view.sizeBytes, get_zip: view.zip.url, scopeVersionId: null },
    view,
  };
}

/** A version that can be selected in a bulk restore. */
export function restorePointRow(view: RestorePointView) {
  return {
    version: view.snapshotId,
    versionid: view.snapshotId,
    date: view.takenAt,
    size: view.sizeBytes,
    verify: view.verifyState,
  };
}

/**
 * A platform account. It counts as having the app until the platform reports that the app was removed. GitHub's dialect
 * uses `username`, the others `user_name` and `full_name` (spec P-131). Every row carries both.
 */
export function connectionRow(view: ConnectionView) {
  return {
    id: view.id,
    username: view.name,
    user_name: view.name,
    full_name: view.fullName,
    userType: view.accountType,
    githubapp: view.lostReason !== "app",
    isConfirmed: view.isConfirmed,
    githubAppOwner: view.grantName,
    auto_add: view.isAutoAdd,
    owner_id: view.externalId,
    view,
  };
}

/** An added place. */
export function placeRow(view: PlaceView) {
  return {
    id: view.id,
    name: view.name,
    node_id: view.nodeId,
    type: view.type,
    connection_id: view.connectionId,
    view,
  };
}

/** A place that can be added. */
export function availablePlaceRow(place: {
  externalId: string;
  nodeId: string | null;
  name: string;
  type: string;
}) {
  return { id: place.externalId, name: place.name, node_id: place.nodeId, type: place.type };
}

/** An item that can be added. */
export function availableItemRow(view: AvailableItemView) {
  return {
    id: view.externalId,
    name: view.name,
    node_id: view.nodeId,
    description: view.description,
    is_private: view.visibility === "private",
    visibility: view.visibility,
    isAdded: view.isAdded,
    view,
  };
}

/**
 * The customer's own storage in the spec's names (part 2 section 3): a list of at most one storage, and per platform
 * whether its versions are copied there.
 */
export function storageOverviewRow(view: StorageOverview) {
  const { storage, platforms, failed } = view;
  return {
    storages: storage === null ? [] : [{ cloudStorageName: storage.kind, ...storage }],
    platforms: Object.fromEntries(
      platforms.map(({ platform, isCopied, ...copies }) => [
        platform,
        {
          isConnectionActive: isCopied && storage?.isActive === true,
          storage: isCopied && storage ? [storage.kind] : [],
          ...copies,
        },
      ]),
    ),
    failed,
  };
}

function ownerOf(fullName: string): string | null {
  const end = fullName.lastIndexOf("/");
  return end > 0 ? fullName.slice(0, end) : null;
}
