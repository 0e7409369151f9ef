import type { WithFacts } from "#connectors/contract/row-facts.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { AvailablePlaceView, ConnectionView, PlaceView } from "#core/connections/views.ts";
import type { AvailableItemView, ItemView } from "#core/inventory/views.ts";
import type { StorageOverview } from "#core/replicas/views.ts";
import type { RestorePointView } from "#core/restores/list-restore-points.ts";

/**
 * Converts our views to the spec's names (part 2 section 3). Each row has the members of every platform's rows and
 * those of its own platform, its facts. `view` carries the rest of the view for screens.
 */

const RUNNING = { backup: "backing_up_process", restore: "restoring_process" } as const;

/** A backup item row. A flag marks items of a platform's second kind (gists and snippets). */
export function itemRow({ facts, ...view }: WithFacts<ItemView>, { isSub }: { isSub: boolean }) {
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
    externalId: view.externalId,
    organizationName: ownerOf(view.fullName),
    connection_id: view.connectionId,
    ...facts,
    view,
  };
}

/**
 * A backup history row. `download_zip_url` is only set while the download works. `hasScope`: the platform's versions have
 * a scope, which is asked for by the version's id (spec P-161).
 */
export function historyRow<R extends HistoryRow>(view: R, { hasScope }: { hasScope: boolean }) {
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
    extra_fields: {
      fullBackupSize: view.sizeBytes,
      get_zip: view.zip.url,
      scopeVersionId: hasScope && view.type === "backup" ? view.snapshotId : null,
    },
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
 * A platform account. The spec names it `username` on one platform and `user_name` on others (P-130, P-131); every row
 * carries both.
 */
export function connectionRow({ facts, ...view }: ConnectionView) {
  return {
    id: view.id,
    username: view.name,
    user_name: view.name,
    full_name: view.fullName,
    isConfirmed: view.isConfirmed,
    auto_add: view.isAutoAdd,
    owner_id: view.externalId,
    ...facts,
    view,
  };
}

/** An added place. Its view keeps the facts, because orders of restores repeat them (spec P-162). */
export function placeRow(view: PlaceView) {
  return {
    id: view.id,
    name: view.name,
    type: view.type,
    connection_id: view.connectionId,
    ...view.facts,
    view,
  };
}

/** A place that can be added. */
export function availablePlaceRow({ externalId, name, type, facts }: AvailablePlaceView) {
  return { id: externalId, name, type, ...facts };
}

/** An item that can be added. */
export function availableItemRow({ facts, ...view }: WithFacts<AvailableItemView>) {
  return {
    id: view.externalId,
    name: view.name,
    description: view.description,
    isAdded: view.isAdded,
    ...facts,
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
