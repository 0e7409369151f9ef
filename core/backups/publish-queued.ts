import type { Uses } from "#core/services.ts";

/** Notifies open screens of queued backups. */
export async function publishQueued(
  s: Uses<"clock" | "live">,
  { organisationId, platform }: { organisationId: string; platform: string },
  queued: readonly { itemId: string; runId: string }[],
): Promise<void> {
  const date = s.clock.now();
  await s.live.publish(
    organisationId,
    queued.map(({ itemId, runId }) => ({
      method: "item-status" as const,
      platform,
      id: itemId,
      type: "backup" as const,
      status: "queued" as const,
      date,
      data_size: 0,
      actionProcess: "backing_up_process" as const,
      runId,
      errorText: null,
    })),
  );
}
