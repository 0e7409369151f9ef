import { askSession } from "./ask-session.ts";
import { leave } from "./leave.ts";

/** After this long without further activity the server hears of the last one. */
export const QUIET_MS = 61_000;
/** Somebody who never rests is reported this often. */
export const AT_LEAST_EVERY_MS = 180_000;

/**
 * When the server has to hear of activity, so that its own clock of inactivity never runs ahead of the browser's: once
 * things have been quiet for a minute, and every three minutes while they are not, or where inactivity ends nothing. The
 * server notes the last use of a session at most once a minute, hence the second beyond it. Times in epoch ms.
 */
export function nextReportAt(facts: {
  lastActivityAt: number;
  lastReportAt: number;
  isTimeOff: boolean;
}): number | null {
  const { lastActivityAt, lastReportAt, isTimeOff } = facts;
  if (isTimeOff) return lastReportAt + AT_LEAST_EVERY_MS;
  if (lastReportAt >= lastActivityAt) return null;
  return Math.min(lastActivityAt + QUIET_MS, lastReportAt + AT_LEAST_EVERY_MS);
}

/**
 * Tells the server that somebody is there. What the call asks for does not matter: any call of a session keeps it. When
 * the server has ended the session meanwhile, this browser leaves too.
 */
export async function reportActivity(): Promise<void> {
  if ((await askSession()) === "over") void leave("refused");
}
