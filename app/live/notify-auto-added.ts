import { notify } from "#app/components/toasts.ts";
import { accountCopy as copy } from "#app/copy/accounts.ts";
import type { LiveSignal } from "./live-client.ts";

/** Shows a toast on any page: which items were protected automatically, and which exceeded the plan's limit. */
export function notifyAutoAdded(signal: LiveSignal): void {
  if (signal.kind !== "event" || signal.event.method !== "items-auto-added") return;
  const { names, count, waiting } = signal.event;
  if (count > 0) notify(copy.autoAdded(names, count));
  if (waiting > 0) notify(copy.autoAddWaiting(waiting), { tone: "bad" });
}
