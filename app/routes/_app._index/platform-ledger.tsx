import { Link } from "@remix-run/react";
import { useState } from "react";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { homeCopy as copy } from "#app/copy/home.ts";
import { calendarDateText } from "#app/format/dates.ts";
import { RetentionRibbon, RibbonKey, ribbonSummary } from "#app/history/retention-ribbon.tsx";
import { dayAt, nextDay } from "#app/history/ribbon-readout.tsx";
import { useShell } from "#app/shell/use-shell.ts";
import type { Overview, OverviewDay, PlatformOverview } from "#core/overview/views.ts";

/** Days between two dates below the ribbons. */
const TICK_DAYS = 7;

/** The days of every platform, one line each. A line below reads the day that is pointed at. */
export function PlatformLedger({ overview }: { overview: Overview }) {
  const { platforms: started } = useShell();
  const [pointed, setPointed] = useState<{ platform: string; at: number } | null>(null);
  const [hasKey, setHasKey] = useState(false);
  const labelOf = (id: string) => started.find((each) => each.id === id)?.label ?? id;
  const shown = overview.platforms.find(({ platform }) => platform === pointed?.platform);
  const day = pointed === null ? undefined : shown?.days[pointed.at];
  const days = overview.platforms[0]?.days ?? [];
  return (
    <div className="ribbon-ledger-frame">
      <div className="ribbon-ledger">
        {overview.platforms.map((platform) => (
          <LedgerLine
            key={platform.platform}
            platform={platform}
            label={labelOf(platform.platform)}
            pointed={pointed?.platform === platform.platform ? pointed.at : null}
            onPoint={(at) => setPointed(at === null ? null : { platform: platform.platform, at })}
          />
        ))}
        <div className="ribbon-ledger__foot" aria-hidden>
          <div className="ribbon-ticks">
            {days.map(({ date }, index) =>
              index % TICK_DAYS === 0 && index < days.length - 3 ? (
                <span key={date} style={{ left: `${(100 / days.length) * index}%` }}>
                  {calendarDateText(date)}
                </span>
              ) : null,
            )}
            <span className="end">{copy.ledger.today}</span>
          </div>
        </div>
      </div>
      <p className="readout">
        <span>
          {day && shown ? (
            <>
              <b>
                {calendarDateText(day.date)}, {labelOf(shown.platform)}
              </b>{" "}
              {dayWords(day)}
            </>
          ) : (
            copy.ledger.hint
          )}
        </span>
        <button type="button" className="link-q" aria-expanded={hasKey} onClick={() => setHasKey(!hasKey)}>
          {copy.ledger.key}
        </button>
      </p>
      {hasKey && <RibbonKey days={overview.platforms.flatMap((platform) => platform.days)} />}
    </div>
  );
}

function LedgerLine({
  platform: { platform, days, counts },
  label,
  pointed,
  onPoint,
}: {
  platform: PlatformOverview;
  label: string;
  pointed: number | null;
  onPoint: (at: number | null) => void;
}) {
  const last = days.length - 1;
  const at = Math.min(pointed ?? last, last);
  const day = days[at];
  if (day === undefined) return null;
  return (
    <div className="ribbon-ledger__line">
      <PlatformMark platform={platform} />
      <Link className="n" to={`/platform/dashboard/${platform}`}>
        {label}
      </Link>
      <div
        className="ribbon-read"
        role="slider"
        tabIndex={0}
        aria-label={copy.ledger.label(label, ribbonSummary(days))}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={`${calendarDateText(day.date)}: ${dayWords(day)}`}
        onKeyDown={(event) => {
          const next = nextDay(event, at, last);
          if (next === null) return;
          event.preventDefault();
          onPoint(next);
        }}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          onPoint(dayAt(event.clientX - left, width, days.length));
        }}
        onPointerLeave={() => onPoint(null)}
        onBlur={() => onPoint(null)}
      >
        <RetentionRibbon days={days} isFill pointed={pointed === null ? undefined : day.date} isHidden />
      </div>
      <b>
        {counts.fresh}/{counts.all}
      </b>
    </div>
  );
}

function dayWords({ state, succeeded, failing }: OverviewDay): string {
  if (state === "missed") return copy.ledger.missed;
  return copy.ledger.day(succeeded, failing) || copy.ledger.none;
}
