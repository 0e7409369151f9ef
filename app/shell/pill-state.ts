import { pillCopy } from "#app/copy/runs.ts";
import { jobWords } from "#app/copy/shell.ts";
import { timeText } from "#app/format/dates.ts";
import {
  isAction,
  type JobBadge,
  jobBadge,
  jointPercent,
  type RunningJob,
  runPercent,
  type Tally,
} from "#app/live/running-jobs.ts";

/** What the pill in the top bar shows; `none` = no pill. */
export type PillState =
  | { kind: "none" }
  /** One action or several: whose, and how far all are together; null = not known. */
  | { kind: "running"; words: string; percent: number | null }
  /** Every action waits. */
  | { kind: "waiting"; words: string }
  /** All have ended. With a failure it stays until it is opened. */
  | { kind: "done" | "failed"; words: string };

/** How the reader sees times, platforms and items. */
export type PillReading = {
  now: number;
  timeZone: string;
  labelOf: (platform: string) => string;
  /** The item's name; null = not known yet. */
  nameOf: (job: RunningJob) => string | null;
};

/** The pill for the running actions, or for those that ended when there are none (`ended`; null = none to show). */
export function pillState(jobs: readonly RunningJob[], ended: Tally | null, reading: PillReading): PillState {
  const actions = jobs.filter(({ progress }) => isAction(progress));
  const [first, ...others] = actions;
  if (first === undefined) return ended === null ? { kind: "none" } : endState(ended);
  const { now, timeZone, labelOf, nameOf } = reading;
  const waiting = actions.flatMap(({ platform, progress: { status, waitingUntil, fault } }) =>
    status === "queued" && waitingUntil !== null && waitingUntil > now
      ? [{ platform, waitingUntil, fault }]
      : [],
  );
  if (waiting.length === actions.length) {
    const next = waiting.reduce((one, other) => (other.waitingUntil < one.waitingUntil ? other : one));
    const time = timeText(next.waitingUntil, timeZone);
    const words = next.fault === null ? pillCopy.waits(labelOf(next.platform), time) : pillCopy.retries(time);
    return { kind: "waiting", words };
  }
  const types = actions.flatMap(({ progress: { kind } }) =>
    kind === "backup" || kind === "restore" ? [kind] : [],
  );
  const several = badgeWords(jobBadge(types, { kind: "none" })) ?? "";
  return others.length === 0
    ? { kind: "running", words: nameOf(first) ?? several, percent: runPercent(first.progress, now) }
    : { kind: "running", words: several, percent: jointPercent(actions, now) };
}

function endState({ backups, restores, failed }: Tally): PillState {
  const words = [
    backups > 0 && pillCopy.backedUp(backups),
    restores > 0 && pillCopy.restored(restores),
    failed > 0 && pillCopy.failed(failed),
  ].filter(Boolean);
  if (words.length === 0) return { kind: "none" };
  return { kind: failed > 0 ? "failed" : "done", words: words.join(", ") };
}

/** What ended after the pill was last opened or had left. */
export function endedSince(tally: Tally, seen: Tally): Tally {
  return {
    backups: tally.backups - seen.backups,
    restores: tally.restores - seen.restores,
    failed: tally.failed - seen.failed,
  };
}

/** A badge's text for screen readers. It does not change with the number of jobs. */
export function spokenWords(badge: JobBadge): string | null {
  if (badge.kind === "none" || badge.kind === "complete") return badgeWords(badge);
  return jobWords.spoken[badge.kind === "single" ? badge.type : badge.kind];
}

/** A badge's text (spec P-189 to P-193); null when there is nothing to show. */
export function badgeWords(badge: JobBadge): string | null {
  switch (badge.kind) {
    case "none":
      return null;
    case "single":
      return jobWords[badge.type](1);
    case "complete":
      return jobWords.complete;
    case "backup":
    case "restore":
    case "mixed":
      return jobWords[badge.kind](badge.count);
    default:
      return badge satisfies never;
  }
}
