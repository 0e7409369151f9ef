import type { LiveEvent } from "#core/live/events.schema.ts";
import type { StoppedRun } from "./change-items.store.ts";

/**
 * Builds the events for runs that ended because their item was removed; without them progress bars would stay. They
 * carry no error text, because the user who deleted the item requested that end.
 *
 * @param now - When they ended, epoch ms.
 */
export function stoppedRunEvents(runs: readonly StoppedRun[], now: number): LiveEvent[] {
  return runs.flatMap(({ id, itemId, platform, kind }) =>
    kind === "backup" || kind === "restore"
      ? [
          {
            method: "item-status",
            platform,
            id: itemId,
            type: kind,
            status: "failed",
            date: now,
            data_size: 0,
            actionProcess: null,
            runId: id,
            errorText: null,
          },
        ]
      : [],
  );
}
