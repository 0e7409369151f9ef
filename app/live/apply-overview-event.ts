import type { LiveEvent } from "#core/live/events.schema.ts";
import type { ActivityView, Overview } from "#core/overview/views.ts";

type StatusEvent = Extract<LiveEvent, { method: "item-status" }>;

const STATES = { queued: "queued", running: "running", success: "succeeded", failed: "failed" } as const;
/** Rows of a platform's recent activity. */
const ROWS = 5;

/** The dashboard after a live event; the same object when nothing changes. */
export function applyOverviewEvent(overview: Overview, event: LiveEvent): Overview {
  if (event.method !== "item-status") return overview;
  const platforms = overview.platforms.map((each) => {
    if (each.platform !== event.platform) return each;
    const activity = activityAfter(each.activity, event);
    const isNewer =
      event.type === "backup" && event.status === "success" && event.date > (each.lastBackup?.at ?? 0);
    const name = nameOf(overview, event.id);
    const lastBackup = isNewer && name !== null ? { name, at: event.date } : each.lastBackup;
    return activity === each.activity && lastBackup === each.lastBackup
      ? each
      : { ...each, activity, lastBackup };
  });
  const isSame = platforms.every((each, index) => each === overview.platforms[index]);
  return isSame ? overview : { ...overview, platforms };
}

/** Returns true for events after which the counts are read again: they depend on items that the page does not know. */
export function refetchesOverview(event: LiveEvent): boolean {
  return (
    event.method === "items-changed" ||
    event.method === "connection-changed" ||
    event.method === "subscription-changed" ||
    event.method === "updateDashboardPlatformItemsAmount" ||
    event.method === "items-auto-added" ||
    event.method === "zip-status" ||
    event.method === "item-status"
  );
}

function activityAfter(rows: ActivityView[], event: StatusEvent): ActivityView[] {
  const status = STATES[event.status];
  const known = rows.find(({ id }) => id === event.runId);
  if (known) {
    if (known.status === status) return rows;
    return rows.map((row) => (row === known ? { ...row, status, date: event.date } : row));
  }
  const name = rows.find(({ itemId }) => itemId === event.id)?.name ?? null;
  // An item that no row names is added when the counts are read again.
  if (name === null) return rows;
  const { runId: id, id: itemId, platform, type, date } = event;
  return [{ id, itemId, name, platform, type, status, date }, ...rows].slice(0, ROWS);
}

function nameOf({ platforms, attention }: Overview, itemId: string): string | null {
  const row = platforms.flatMap(({ activity }) => activity).find((each) => each.itemId === itemId);
  return row?.name ?? attention.find(({ id }) => id === itemId)?.name ?? null;
}
