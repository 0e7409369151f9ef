import { compareCopy as copy } from "#app/copy/compare.ts";
import { countText } from "#app/format/counts.ts";
import { dayKey } from "#app/format/dates.ts";
import { spanText } from "#app/format/duration.ts";
import type { RibbonDay } from "#core/inventory/views.ts";
import type { VersionChoice } from "./queries.server.ts";

type Moment = { snapshotId: string; takenAt: number };

/** Where the ribbon marks the two versions, in per cent of its width, and the words between them. */
export type Bracket = { days: [string, string]; left: number; width: number; text: string };

/** Joins two versions on the ribbon; null when a day is before its beginning. */
export function bracketOf(
  ribbon: readonly RibbonDay[],
  versions: readonly VersionChoice[],
  [one, other]: readonly [Moment, Moment],
  timeZone: string,
): Bracket | null {
  const [older, newer] = one.takenAt <= other.takenAt ? [one, other] : [other, one];
  const days: Bracket["days"] = [dayKey(older.takenAt, timeZone), dayKey(newer.takenAt, timeZone)];
  const [from, to] = days.map((day) => ribbon.findIndex(({ date }) => date === day)) as [number, number];
  if (from < 0 || to < 0) return null;
  const share = (count: number) => Math.round((count / ribbon.length) * 1000) / 10;
  const [start, end] = [newer, older].map(({ snapshotId }) =>
    versions.findIndex((version) => version.snapshotId === snapshotId),
  ) as [number, number];
  const count = start < 0 || end < 0 ? null : countText(end - start + 1, "version", "versions");
  const span = spanText(newer.takenAt - older.takenAt);
  return {
    days,
    left: share(from),
    width: share(to - from + 1),
    text: count === null ? span : `${span}, ${count}`,
  };
}

/** Names the other versions of the same minute; null when there are none. */
export function twinText(
  { snapshotId, takenAt }: Moment,
  versions: readonly Moment[],
  clock: (at: number) => string,
): string | null {
  const minute = (at: number) => Math.floor(at / 60_000);
  const twins = versions.filter(
    (other) => other.snapshotId !== snapshotId && minute(other.takenAt) === minute(takenAt),
  );
  const [only] = twins;
  if (only === undefined) return null;
  return twins.length === 1
    ? copy.twin(clock(only.takenAt))
    : copy.twins(twins.map((twin) => clock(twin.takenAt)).reverse());
}
