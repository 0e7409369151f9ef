import { notify } from "#app/components/toasts.ts";
import { accountCopy as copy } from "#app/copy/accounts.ts";
import type { LiveSignal } from "./live-client.ts";

/** Tells what was protected by itself, and what found no room on the plan, wherever somebody is in the product. */
export function tellAutoAdded(signal: LiveSignal): void {
  if (signal.kind !== "event" || signal.event.method !== "items-auto-added") return;
  const { names, count, waiting } = signal.event;
  if (count > 0) notify(copy.autoAdded(names, count));
  if (waiting > 0) notify(copy.autoAddWaiting(waiting), { tone: "bad" });
}
