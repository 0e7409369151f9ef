import type { ReactNode } from "react";
import { historyCopy } from "#app/copy/history.ts";
import { bytesText } from "#app/format/bytes.ts";
import { calendarDateText, dateTimeText } from "#app/format/dates.ts";
import { verifiedAt } from "#app/history/version-verified.tsx";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { Sparkline } from "./sparkline.tsx";

const copy = historyCopy.facts;
const HOUR = 3_600_000;

/** Four facts: the number of versions, the latest good one, the next run, the size. */
export function ItemFacts({
  item,
  recent,
  label,
  periodMs,
  timeZone,
  now,
}: {
  item: ItemView;
  /** The newest rows, newest first. */
  recent: readonly HistoryRow[];
  /** The platform's name. */
  label: string;
  periodMs: number;
  timeZone: string;
  now: number;
}) {
  const good = recent.filter(
    (row) => row.type === "backup" && row.status === "success" && row.erasedAt === null,
  );
  const latest = good[0] ?? null;
  const sizes = good.flatMap((row) => (row.sizeBytes === null ? [] : [row.sizeBytes])).reverse();
  return (
    <dl className="info-cards">
      <Fact name={copy.versions} value={item.versionCount.toLocaleString("en-US")} note={oldestNote(item)} />
      <Fact
        name={copy.latest}
        value={latest === null ? copy.never : dateTimeText(latest.date, timeZone, now)}
        note={latest === null ? "" : verifyNote(latest, timeZone, now)}
      />
      <Fact name={copy.next} {...nextRun({ item, label, periodMs, timeZone, now })} />
      <Fact
        name={copy.size}
        value={
          <>
            {item.versionCount === 0 ? "-" : bytesText(latest?.sizeBytes ?? item.sizeBytes)}
            <Sparkline values={sizes} label={copy.sizes} />
          </>
        }
        note={growthNote(sizes)}
      />
    </dl>
  );
}

function Fact({ name, value, note }: { name: string; value: ReactNode; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      {note !== "" && <dd className="info-cards__note">{note}</dd>}
    </div>
  );
}

/** The day of the oldest version, if the ribbon reaches back that far. */
export function oldestNote(item: Pick<ItemView, "versionCount" | "ribbon">): string {
  if (item.versionCount === 0) return copy.noVersions;
  const shown = item.ribbon.reduce((sum, day) => sum + day.versions, 0);
  const oldest = item.ribbon.find((day) => day.versions > 0);
  if (oldest === undefined || shown < item.versionCount) return "";
  return copy.oldest(calendarDateText(oldest.date));
}

function verifyNote(row: HistoryRow, timeZone: string, now: number): string {
  const { verify } = row;
  if (verify === null) return copy.notVerified;
  switch (verify.state) {
    case "verified":
      return copy.verified(verify.at === null ? "" : verifiedAt(verify.at, row.date, timeZone, now));
    case "intact":
      return historyCopy.verify.intactLong;
    case "queued":
      return copy.verifyQueued;
    case "failed":
      return copy.verifyFailed;
    default:
      return verify.state satisfies never;
  }
}

function nextRun({
  item,
  label,
  periodMs,
  timeZone,
  now,
}: {
  item: ItemView;
  label: string;
  periodMs: number;
  timeZone: string;
  now: number;
}): { value: string; note: string } {
  const rhythm = copy.every(Math.round(periodMs / HOUR));
  if (item.status === "deleted") return { value: "-", note: copy.deletedNote(label) };
  if (item.activeRun?.kind === "backup") return { value: copy.running, note: item.isDaily ? rhythm : "" };
  if (!item.isDaily) return { value: copy.paused, note: copy.pausedNote };
  if (item.nextDueAt === null) return { value: "-", note: rhythm };
  return { value: dateTimeText(item.nextDueAt, timeZone, now), note: rhythm };
}

/** How the size changed from the first to the last of these versions. */
export function growthNote(sizes: readonly number[]): string {
  const first = sizes[0];
  const last = sizes.at(-1);
  if (first === undefined || last === undefined) return "";
  if (sizes.length === 1) return copy.noGrowth;
  const change = last - first;
  const sign = change < 0 ? "\u2212" : "+";
  return copy.growth(`${sign}${bytesText(Math.abs(change))}`, sizes.length);
}
