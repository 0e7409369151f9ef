import { Link } from "@remix-run/react";
import { buttonClass } from "#app/components/button.tsx";
import { homeCopy } from "#app/copy/home.ts";
import type { PlatformOverview } from "#core/overview/views.ts";
import { arcsOf } from "./arcs.ts";
import { backedUpOf } from "./platform-state.ts";

const copy = homeCopy.protection;
const RADIUS = 50;
const ROUND = 2 * Math.PI * RADIUS;
/** Space between two arcs, in the drawing's units. */
const GAP = 4;

/** How many items have a version, and how old the newest ones are (spec B-088). */
export function Protection({
  platform,
  overview,
  many,
}: {
  platform: string;
  overview: PlatformOverview | null;
  many: string;
}) {
  const counts = overview?.counts;
  if (!counts || counts.all === 0) {
    return (
      <div className="protection">
        <p className="block-label">{copy.label}</p>
        <p className="soft">{copy.empty}</p>
        {counts && (
          <Link className={buttonClass({ size: "s" })} to={`/platform/dashboard/${platform}`}>
            {copy.choose(many)}
          </Link>
        )}
      </div>
    );
  }
  const parts = [
    { key: "ok", word: copy.fresh, count: counts.fresh, isAlways: true },
    { key: "warn", word: copy.older, count: counts.older, isAlways: true },
    { key: "paused", word: copy.paused, count: counts.paused, isAlways: false },
    { key: "deleted", word: copy.deleted, count: counts.deleted, isAlways: false },
    { key: "none", word: copy.never, count: counts.never, isAlways: true },
  ].filter(({ count, isAlways }) => isAlways || count > 0);
  const arcs = arcsOf(
    parts.map(({ count }) => count),
    { round: ROUND, gap: GAP },
  );
  const backedUp = backedUpOf(counts);
  return (
    <div className="protection">
      <p className="block-label">{copy.label}</p>
      <div className="doughnut-wrap">
        <svg
          className="doughnut"
          viewBox="0 0 112 112"
          role="img"
          aria-label={copy.summary(backedUp, counts.all)}
        >
          {parts.map(({ key }, index) => {
            const arc = arcs[index];
            return (
              arc && (
                <circle
                  key={key}
                  className={`arc-${key}`}
                  cx="56"
                  cy="56"
                  r={RADIUS}
                  strokeDasharray={`${arc.length} ${ROUND - arc.length}`}
                  strokeDashoffset={-arc.start}
                  transform="rotate(-90 56 56)"
                />
              )
            );
          })}
          <text x="56" y="58">
            {copy.of(backedUp, counts.all)}
          </text>
          <text className="s" x="56" y="75">
            {copy.word}
          </text>
        </svg>
        <ul className="legend">
          {parts.map(({ key, word, count }) => (
            <li key={key}>
              <i className={`l-${key}`} />
              <span>{word}</span>
              <b>{count.toLocaleString("en-US")}</b>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
