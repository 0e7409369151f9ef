import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callPlatform } from "#app/api/call-platform.ts";
import { notify } from "#app/components/toasts.ts";
import { restoreCopy as copy } from "#app/copy/restore.ts";
import { historyQuery } from "#app/history/history-queries.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { answersOnWire } from "./answers-on-wire.ts";
import { RestoreFields } from "./restore-fields.tsx";
import { restorableVersions, restoreReason, restoreRequest, restoreRules } from "./restore-form.ts";
import { useRestorePlaces } from "./use-restore-places.ts";
import { useRestoreTargets } from "./use-restore-targets.ts";
import { VersionStrip } from "./version-strip.tsx";

export type VersionRestoreProps = {
  item: ItemView;
  /** The version selected initially; "latest" = the newest one that can be restored. */
  snapshotId: string | "latest";
  /** Versions to choose from; fetched when omitted. */
  rows?: readonly HistoryRow[];
  /** Places that the item can be restored into. */
  places: readonly PlaceView[];
  timeZone: string;
  now: number;
  /** Called after the restore was accepted. */
  onStarted?: () => void;
};

/** The form that restores a whole version of an item. */
export function VersionForm({
  item,
  snapshotId,
  rows,
  places: added,
  timeZone,
  now,
  onStarted,
  onClose,
}: VersionRestoreProps & { onClose: () => void }) {
  const { id: itemId, platform, kind: kindId } = item;
  const { places, hint, isLoading: isAskingPlaces } = useRestorePlaces(item, added);
  const descriptor = descriptors.find(({ id }) => id === platform);
  const rules = restoreRules(descriptor, kindId, places);
  const { versions, isLoading, failure } = useVersions(itemId, rows);
  const targets = useRestoreTargets(rules.targets.includes("existing") ? itemId : null);
  const [chosenId, setChosenId] = useState(snapshotId === "latest" ? null : snapshotId);
  const version = versions.find((row) => row.snapshotId === chosenId) ?? null;
  const shown = chosenId === null ? (versions[0] ?? null) : version;
  const isBusy = item.activeRun?.kind === "backup" || item.activeRun?.kind === "restore";
  return (
    <RestoreFields
      subject={{ platform, kindId, itemId, snapshotId: shown?.snapshotId ?? null, part: null, item }}
      rules={rules}
      targets={targets}
      places={places}
      placeHint={hint}
      isAskingPlaces={isAskingPlaces}
      skippedCount={shown?.skippedCount ?? 0}
      timeZone={timeZone}
      reasonOf={(entries) => restoreReason(entries, rules, isBusy, versions)}
      send={async (entries, questions) => {
        const answered = answersOnWire({ platform, kind: kindId }, questions, entries.answers);
        const request = restoreRequest(item, entries, places, rules, answered);
        const fallback = restoreWords[platform]?.failed;
        await callPlatform({ platform, does: "restore-items", kind: kindId }, request, { fallback });
        notify(copy.started);
        onStarted?.();
      }}
      onClose={onClose}
    >
      <VersionStrip
        ribbon={item.ribbon}
        versions={versions}
        version={shown}
        isLoading={isLoading}
        failure={failure}
        timeZone={timeZone}
        now={now}
        onChoose={setChosenId}
      />
    </RestoreFields>
  );
}

/** The given versions, or the newest page of them, fetched when the dialog opens. */
function useVersions(itemId: string, given: readonly HistoryRow[] | undefined) {
  const isGiven = given !== undefined;
  const { data, isPending, error } = useQuery({ ...historyQuery({ itemId, page: 0 }), enabled: !isGiven });
  return {
    versions: restorableVersions(given ?? data?.view.rows ?? []),
    isLoading: !isGiven && isPending,
    failure: error?.message ?? null,
  };
}
