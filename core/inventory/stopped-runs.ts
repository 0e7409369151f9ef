import type { LiveEvent } from "#core/live/events.schema.ts";
import type { StoppedRun } from "./change-items.store.ts";

/**
 * What open screens are told of actions that ended because their item was taken out; without it their bars would stay.
 * No failure is told: whoever deletes an item has asked for that end.
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
