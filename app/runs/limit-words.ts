import { runsCopy } from "#app/copy/runs.ts";
import { momentText } from "#app/format/dates.ts";
import { durationText } from "#app/format/duration.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import type { ProviderLimit } from "#core/rounds/views.ts";
import type { Reading } from "./round-words.ts";

const copy = runsCopy.limits;

/** A provider's limit as its lines are shown. */
export type LimitView = {
  /** When it opens, or over which time it counts; null = not known. */
  opens: string | null;
  /** How much is used, per cent; null = not known. */
  percent: number | null;
  isFull: boolean;
  text: string;
};

const EACH: Readonly<Record<number, string>> = {
  [SECOND_MS]: copy.each.second,
  [MINUTE_MS]: copy.each.minute,
  [HOUR_MS]: copy.each.hour,
  [DAY_MS]: copy.each.day,
};

/** The tightest quota of an account, in words. A pause comes first, because it holds for every quota. */
export function limitView(
  { pausedUntil, quotas }: ProviderLimit,
  { now, timeZone }: Omit<Reading, "labelOf">,
): LimitView {
  const isPaused = pausedUntil !== null && pausedUntil > now;
  const current = quotas.filter(({ opensAt }) => opensAt === null || opensAt > now);
  const [tightest] = current.toSorted((one, other) => shareOf(other) - shareOf(one) || one.left - other.left);
  const paused = isPaused ? copy.paused(momentText(pausedUntil, timeZone, now)) : null;
  if (tightest === undefined) {
    return {
      opens: paused,
      percent: isPaused ? 100 : null,
      isFull: isPaused,
      text: isPaused ? copy.asksToWait : "",
    };
  }
  const { left, of, opensAt, perMs } = tightest;
  const isFull = isPaused || left <= 0;
  const number = (count: number) => count.toLocaleString("en-US");
  return {
    opens: paused ?? opensText(),
    percent: isFull ? 100 : of === null ? null : Math.round(shareOf(tightest) * 100),
    isFull,
    text: of === null ? copy.left(number(left)) : copy.used(number(Math.max(0, of - left)), number(of)),
  };

  function opensText(): string | null {
    if (opensAt !== null) return (isFull ? copy.paused : copy.opens)(momentText(opensAt, timeZone, now));
    return perMs === null ? null : (EACH[perMs] ?? copy.every(durationText(perMs)));
  }
}

function shareOf({ left, of }: ProviderLimit["quotas"][number]): number {
  return of === null || of <= 0 ? 0 : Math.max(0, of - left) / of;
}
