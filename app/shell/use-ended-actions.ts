import { useEffect, useState } from "react";
import type { Tally } from "#app/live/running-jobs.ts";
import { endedSince } from "./pill-state.ts";

/** How long the pill shows that all actions have ended. */
const ENDED_SHOWN_MS = 4000;

/**
 * What the last actions came to, for the pill; null = nothing to show. After a success it leaves by itself, after a
 * failure once the page of the runs is open.
 */
export function useEndedActions(tally: Tally, isRunning: boolean, isOpen: boolean): Tally | null {
  const [seen, setSeen] = useState(tally);
  const ended = endedSince(tally, seen);
  const isNews = !isRunning && ended.backups + ended.restores + ended.failed > 0;
  const leaves = isNews && (ended.failed === 0 || isOpen);
  useEffect(() => {
    if (!leaves) return;
    const timer = setTimeout(() => setSeen(tally), ENDED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [leaves, tally]);
  return isNews ? ended : null;
}
