import type { CSSProperties } from "react";
import { historyCopy } from "#app/copy/history.ts";
import { calendarDateText } from "#app/format/dates.ts";
import { RibbonReadout } from "#app/history/ribbon-readout.tsx";
import type { RibbonDay } from "#core/inventory/views.ts";

const TALL = { "--ch": "28px", "--cg": "2px" } as CSSProperties;

/** The ribbon in full column width, with tick labels for the first day, the months and today. */
export function ItemRibbon({ days }: { days: readonly RibbonDay[] }) {
  const first = days[0];
  if (first === undefined) return null;
  return (
    <RibbonReadout days={days} style={TALL}>
      <div className="ribbon-ticks" aria-hidden>
        <span style={{ left: 0 }}>{calendarDateText(first.date)}</span>
        {monthTicks(days).map(({ date, left }) => (
          <span key={date} className={isNearEnd(left) ? "hide-s" : undefined} style={{ left: `${left}%` }}>
            {calendarDateText(date)}
          </span>
        ))}
        <span className="end">{historyCopy.ribbon.today}</span>
      </div>
    </RibbonReadout>
  );
}

/** True when a label would overlap the labels at the ends on a phone. */
function isNearEnd(left: number): boolean {
  return left < 22 || left > 68;
}

/** The starts of months, in per cent of the width. Ticks whose label would overlap those at the ends are omitted. */
export function monthTicks(days: readonly RibbonDay[]): { date: string; left: number }[] {
  return days
    .map(({ date }, index) => ({ date, left: Math.round((index / days.length) * 1000) / 10 }))
    .filter(({ date, left }) => date.endsWith("-01") && left >= 14 && left <= 80);
}
