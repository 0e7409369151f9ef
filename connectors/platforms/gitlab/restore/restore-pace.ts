import type { Session } from "#connectors/contract/platform-connector.ts";
import type { CallLimit } from "#connectors/contract/restore-plan.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";

/** Limits of gitlab.com per user and minute (docs: GitLab.com settings, rate limits). */
const ISSUES_A_MINUTE = 200;
const NOTES_A_MINUTE = 60;
const CALLS_A_MINUTE = 2_000;

/** Further limits for the plan of a restore. */
export const LIMITS: readonly CallLimit[] = [
  { of: "calls", resource: "throttle_authenticated_api", most: CALLS_A_MINUTE, periodMs: MINUTE_MS },
];

/** Waits before each creation to stay below the limits. */
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

/** How long the pace delays a restore of issues with these numbers of notes, if GitLab responds instantly. */
export async function pacedMs(notesOfIssues: readonly number[]): Promise<number> {
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const pace = openRestorePace({ clock: { now: () => now }, sleep });
  for (const notes of notesOfIssues) {
    await pace.beforeIssue();
    for (let note = 0; note < notes; note++) await pace.beforeNote();
  }
  return now;
}
