import type { CSSProperties } from "react";

/** Thirty days, all kept, today ringed. */
const ALL_KEPT = Array.from({ length: 30 }, (_, day) => (day === 29 ? "k d" : "k"));

/** A ribbon of days as illustration; it shows no user's data. */
export function DaysRibbon({
  label,
  height,
  days = ALL_KEPT,
}: {
  /** Absent = the picture is decoration. */
  label?: string;
  /** Of a day, in px. */
  height: number;
  /** The shape of each day, as in `retention-ribbon`. */
  days?: readonly string[];
}) {
  const naming = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <span
      className="retention-ribbon ribbon-fill"
      {...naming}
      style={{ "--cg": "3px", "--ch": `${height}px` } as CSSProperties}
    >
      {days.map((shape, day) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: -- a fixed picture; a day is identified by its index
        <i key={day} className={shape} />
      ))}
    </span>
  );
}
