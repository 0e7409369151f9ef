import type { Session } from "#connectors/contract/platform-connector.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";

/** Limits of gitlab.com per user and minute (docs: GitLab.com settings, rate limits). */
const ISSUES_A_MINUTE = 200;
const NOTES_A_MINUTE = 60;

/** Waits as long as it takes to stay below the limits of what is created. */
export type RestorePace = { beforeIssue(): Promise<void>; beforeNote(): Promise<void> };

/** A pace for one slice of a restore. */
export function openRestorePace(session: Pick<Session, "clock" | "sleep">): RestorePace {
  const every = (count: number) => {
    const spacingMs = MINUTE_MS / count;
    let readyAt = 0;
    return async () => {
      const waitMs = readyAt - session.clock.now();
      if (waitMs > 0) await session.sleep(waitMs);
      readyAt = session.clock.now() + spacingMs;
    };
  };
  return { beforeIssue: every(ISSUES_A_MINUTE), beforeNote: every(NOTES_A_MINUTE) };
}
