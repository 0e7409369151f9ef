import { homeCopy as copy } from "#app/copy/home.ts";
import { regionNames } from "#app/copy/regions.ts";
import { bytesText } from "#app/format/bytes.ts";
import { calendarDateText } from "#app/format/dates.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Overview } from "#core/overview/views.ts";
import { areaPoints } from "./area-points.ts";

const [WIDTH, TOP, BASE] = [340, 36, 156];

/** How many bytes the vault holds, by day. */
export function StoredArea({ stored: { bytes, days, regions } }: { stored: Overview["stored"] }) {
  const points = areaPoints(
    days.map((day) => day.bytes),
    { width: WIDTH - 3, top: TOP, base: BASE },
  );
  const line = points.map(([x, y]) => `${x} ${y}`).join("L");
  const [first, last] = [days[0], days.at(-1)];
  const end = points.at(-1);
  const change = bytes - (first?.bytes ?? 0);
  const sign = change < 0 ? "−" : "+";
  const places = regions.map((region) => regionNames[region as Region]).join(" and ");
  return (
    <section aria-labelledby="stored-title">
      <div className="section-head">
        <h2 id="stored-title">{copy.stored.title}</h2>
        <span className="meta">{copy.stored.span}</span>
      </div>
      <div className="stored">
        <p className="stored__sum">
          {bytesText(bytes)}{" "}
          {first && (
            <span className="meta">
              {copy.stored.since(`${sign}${bytesText(Math.abs(change))}`, calendarDateText(first.date))}
            </span>
          )}
        </p>
        {first && last && end && (
          <svg
            className="storage-area"
            viewBox={`0 0 ${WIDTH} 176`}
            role="img"
            aria-label={copy.stored.label(bytesText(first.bytes), bytesText(last.bytes))}
          >
            <path className="a" d={`M0 ${BASE}V${points[0]?.[1]}L${line}V${BASE}Z`} />
            <path className="l" d={`M${line}`} />
            <circle className="d" cx={end[0]} cy={end[1]} r="3" />
            <line className="base" x1="0" x2={WIDTH} y1={BASE + 0.5} y2={BASE + 0.5} />
            <text x={WIDTH} y={end[1] - 12} textAnchor="end">
              {bytesText(last.bytes)}
            </text>
            <text x="0" y="173">
              {calendarDateText(first.date)}
            </text>
            <text x={WIDTH} y="173" textAnchor="end">
              {calendarDateText(last.date)}
            </text>
          </svg>
        )}
        <p className="meta">{copy.stored.text(places)}</p>
      </div>
    </section>
  );
}
