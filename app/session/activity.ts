import { askSession } from "./ask-session.ts";
import { leave } from "./leave.ts";

/** After this long without further activity, the last activity is reported to the server. */
export const QUIET_MS = 61_000;
/** Continuous activity is reported this often. */
export const AT_LEAST_EVERY_MS = 180_000;

/**
 * When activity must be reported, so that the server's inactivity timer never runs ahead of the browser's: after a
 * minute without activity, and every three minutes during activity or when inactivity does not end the session. The
 * server records a session's last use at most once a minute, hence 61 seconds. Times in epoch ms.
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
 * Reports activity to the server. The call is arbitrary: any call keeps the session alive. If the server has ended the
 * session meanwhile, signs out in this browser too.
 */
export async function reportActivity(): Promise<void> {
  if ((await askSession()) === "over") void leave("refused");
}
