import { type CSSProperties, type KeyboardEvent, useState } from "react";
import { ribbonCopy as copy } from "#app/copy/shared.ts";
import { calendarDateText } from "#app/format/dates.ts";
import type { RibbonDay } from "#core/inventory/views.ts";
import { RetentionRibbon, ribbonSummary } from "./retention-ribbon.tsx";

/**
 * A ribbon whose days are read in a line below it, by pointer or arrow keys. Nothing is only in a tooltip. Without a
 * pointed day the line shows `rest`, or the last day.
 */
export function RibbonReadout({
  days,
  picked,
  style,
  rest,
  children,
}: {
  days: readonly RibbonDay[];
  picked?: readonly string[];
  style?: CSSProperties;
  /** The line while no day is pointed at. */
  rest?: string;
  /** Between the ribbon and the line. */
  children?: React.ReactNode;
}) {
  const [pointed, setPointed] = useState<number | null>(null);
  const last = days.length - 1;
  const at = Math.min(pointed ?? restIndex(days, picked), last);
  const day = days[at];
  if (day === undefined) return null;
  const text = `${calendarDateText(day.date)}: ${dayText(day)}`;
  return (
    <div className="ribbon-block">
      <div
        className="ribbon-read"
        role="slider"
        tabIndex={0}
        aria-label={copy.label(ribbonSummary(days))}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={text}
        onKeyDown={(event) => {
          const next = nextDay(event, at, last);
          if (next === null) return;
          event.preventDefault();
          setPointed(next);
        }}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          setPointed(dayAt(event.clientX - left, width, days.length));
        }}
        onPointerLeave={() => setPointed(null)}
        onBlur={() => setPointed(null)}
      >
        <RetentionRibbon
          days={days}
          isFill
          picked={picked}
          pointed={pointed === null ? undefined : day.date}
          isHidden
          style={style}
        />
      </div>
      {children}
      <p className="ribbon-line meta" aria-hidden>
        {pointed === null && rest !== undefined ? rest : text}
      </p>
    </div>
  );
}

function restIndex(days: readonly RibbonDay[], picked: readonly string[] = []): number {
  const found = days.findIndex(({ date }) => date === picked[0]);
  return found < 0 ? days.length - 1 : found;
}

/** The day under a pointer that is `x` pixels from the ribbon's start. */
export function dayAt(x: number, width: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((x / Math.max(1, width)) * count)));
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 7,
  PageDown: -7,
};

/** The day that a key leads to; null = the key does nothing here. */
export function nextDay({ key }: Pick<KeyboardEvent, "key">, at: number, last: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  return step === undefined ? null : Math.min(last, Math.max(0, at + step));
}

/** What happened on a day, in words. */
export function dayText({ state, versions, isRestored }: RibbonDay): string {
  const words = copy.states[state](versions);
  return isRestored ? `${words}, ${copy.restoredFrom}` : words;
}
