import type { CSSProperties } from "react";
import { ribbonCopy } from "#app/copy/shared.ts";
import { calendarDateText } from "#app/format/dates.ts";
import type { RibbonDay } from "#core/inventory/views.ts";

/**
 * The class of one cell. The shape shows the state, and the colour repeats it. Two versions on a day stack two halves.
 */
export function ribbonCellClass(day: RibbonDay, isToday: boolean): string {
  const marks = [shapeOf(day)];
  if (day.isRestored) marks.push("r");
  if (isToday) marks.push("d");
  return marks.join(" ");
}

function shapeOf({ state, versions }: RibbonDay): string {
  switch (state) {
    case "good":
      return versions >= 2 ? "s" : "k";
    case "retried":
      return "t";
    case "failed":
      return versions >= 1 ? "s b-f" : "f";
    case "missed":
      return versions >= 1 ? "s b-m" : "m";
    case "running":
      return versions >= 1 ? "s b-r" : "s a-n b-r";
    case "paused":
      return "p";
    case "expired":
      return "k dim";
    case "none":
      return "n";
    default:
      return state satisfies never;
  }
}

/** The ribbon in one sentence, for screen readers. */
export function ribbonSummary(days: readonly RibbonDay[]): string {
  const count = (state: RibbonDay["state"]) => days.filter((day) => day.state === state).length;
  const kept = days.length - count("none");
  if (kept === 0) return ribbonCopy.none;
  const good = count("good") + count("retried") + count("expired");
  const parts: string[] = [ribbonCopy.summary(good, kept)];
  if (count("retried") > 0) parts.push(ribbonCopy.retried(count("retried")));
  if (count("failed") > 0) parts.push(ribbonCopy.failed(count("failed")));
  if (count("missed") > 0) parts.push(ribbonCopy.missed(count("missed")));
  if (count("paused") > 0) parts.push(ribbonCopy.paused(count("paused")));
  if (count("running") > 0) parts.push(ribbonCopy.running);
  const restored = days.filter((day) => day.isRestored).length;
  if (restored > 0) parts.push(ribbonCopy.restored(restored));
  return parts.join(", ");
}

/** One cell per day, oldest left, the last one marked as today. `isFill` stretches the ribbon to its column's width. */
export function RetentionRibbon({
  days,
  isFill,
  label,
  style,
  hasToday = true,
  picked = [],
  isDimmedOutside = false,
  pointed,
  isHidden = false,
}: {
  days: readonly RibbonDay[];
  isFill?: boolean;
  /** Replaces the generated summary. */
  label?: string;
  style?: CSSProperties;
  /** False for a period that does not end today. */
  hasToday?: boolean;
  /** Dates of the days to mark as selected, in order. */
  picked?: readonly string[];
  /** Fades the days before the first and after the last selected day. */
  isDimmedOutside?: boolean;
  /** Date of the day that is being read. */
  pointed?: string;
  /** True when an element around it has the text for screen readers. */
  isHidden?: boolean;
}) {
  const [from, until] = [picked[0] ?? "", picked.at(-1) ?? ""];
  const marksOf = ({ date }: RibbonDay) => {
    if (date === pointed) return " at";
    if (picked.includes(date)) return " x";
    return isDimmedOutside && (date < from || date > until) ? " dim" : "";
  };
  return (
    <span
      className={isFill ? "retention-ribbon ribbon-fill" : "retention-ribbon"}
      {...(isHidden ? { "aria-hidden": true } : { role: "img", "aria-label": label ?? ribbonSummary(days) })}
      style={style}
    >
      {days.map((day, index) => (
        <i
          key={day.date}
          className={`${ribbonCellClass(day, hasToday && index === days.length - 1)}${marksOf(day)}`}
          title={isHidden ? undefined : calendarDateText(day.date)}
        />
      ))}
    </span>
  );
}

/** The entries of the key that these days need, each as a shape and its word. */
export function ribbonKeys(days: readonly RibbonDay[]): [shape: string, word: string][] {
  const shapes = new Set(days.map((day) => shapeOf(day).split(" ")[0]));
  const states = new Set(days.map(({ state }) => state));
  const keys = ribbonCopy.keys;
  const cells: [string, string, boolean][] = [
    ["k", keys.one, shapes.has("k")],
    ["s", keys.two, days.some(({ versions }) => versions >= 2)],
    ["t", keys.retried, states.has("retried")],
    ["f", keys.failed, states.has("failed")],
    ["m", keys.missed, states.has("missed")],
    ["p", keys.paused, states.has("paused")],
    ["k r", keys.restored, days.some(({ isRestored }) => isRestored)],
    ["k d", keys.today, true],
  ];
  return cells.flatMap(([shape, word, isNeeded]) => (isNeeded ? [[shape, word] as [string, string]] : []));
}

/** The legend of the shapes that are shown. */
export function RibbonKey({ days, note }: { days: readonly RibbonDay[]; note?: string }) {
  return (
    <div className="ribbon-key">
      {ribbonKeys(days).map(([shape, word]) => (
        <span key={word}>
          <span className="retention-ribbon" aria-hidden>
            <i className={shape} />
          </span>
          {word}
        </span>
      ))}
      {note && <span className="push hide-s">{note}</span>}
    </div>
  );
}
