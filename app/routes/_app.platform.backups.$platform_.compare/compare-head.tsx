import { useNavigate } from "@remix-run/react";
import { ArrowRight, ChevronDown } from "lucide-react";
import { type CSSProperties, useId } from "react";
import { compareCopy as copy } from "#app/copy/compare.ts";
import { bytesText } from "#app/format/bytes.ts";
import { clockOf, dateText, fullDateText } from "#app/format/dates.ts";
import { RetentionRibbon } from "#app/history/retention-ribbon.tsx";
import { VersionVerified } from "#app/history/version-verified.tsx";
import { comparePath } from "#app/version/address.ts";
import type { Comparison } from "#core/comparisons/views.ts";
import { type Bracket, bracketOf, twinText } from "./picks.ts";
import type { ComparePageData } from "./queries.server.ts";

type Side = Comparison["before"];

/** The two versions on the ribbon, and as buttons that choose another one. */
export function CompareHead({ data, comparison }: { data: ComparePageData; comparison: Comparison }) {
  const { before, after } = comparison;
  const navigate = useNavigate();
  const to = (from: string, until: string) => comparePath(data, { from, to: until });
  const bracket = bracketOf(data.ribbon, data.versions, [before, after], data.timeZone);
  return (
    <>
      {bracket !== null && <PickRibbon data={data} bracket={bracket} />}
      <div className="compare-picks">
        <Pick
          label={copy.older}
          side={before}
          other={after}
          data={data}
          onPick={(id) => navigate(to(id, after.snapshotId))}
        />
        <ArrowRight className="compare-picks__mid" aria-hidden />
        <Pick
          label={copy.newer}
          side={after}
          other={before}
          data={data}
          onPick={(id) => navigate(to(before.snapshotId, id))}
        />
      </div>
    </>
  );
}

/** A label that would leave the page is set flush with the ribbon's end. */
function labelStyle({ left, width }: Bracket): CSSProperties {
  const middle = left + width / 2;
  if (middle > 84) return { right: 0 };
  return middle < 16 ? { left: 0 } : { left: `${middle}%`, transform: "translateX(-50%)" };
}

function PickRibbon({ data, bracket }: { data: ComparePageData; bracket: Bracket }) {
  const { days, left, width, text } = bracket;
  return (
    <div className="pick-ribbon">
      <RetentionRibbon
        days={data.ribbon}
        isFill
        picked={days}
        isDimmedOutside
        label={copy.ribbon(text)}
        style={{ "--ch": "28px", "--cg": "2px" } as CSSProperties}
      />
      <div className="pick-ribbon__bracket" aria-hidden>
        <span className="pick-ribbon__line" style={{ left: `${left}%`, width: `${width}%` }} />
        <span className="pick-ribbon__text" style={labelStyle(bracket)}>
          {text}
        </span>
      </div>
    </div>
  );
}

function Pick({
  label,
  side,
  other,
  data,
  onPick,
}: {
  label: string;
  side: Side;
  other: Side;
  data: ComparePageData;
  onPick: (snapshotId: string) => void;
}) {
  const id = useId();
  const { timeZone, now, versions } = data;
  const known = versions.find(({ snapshotId }) => snapshotId === side.snapshotId);
  const choices = known === undefined ? [side, ...versions] : versions;
  const clock = clockOf(
    [...choices, side, other].map(({ takenAt }) => takenAt),
    timeZone,
  );
  const twin = twinText(side, choices, clock);
  return (
    <div className="compare-pick">
      <label className="meta" htmlFor={id}>
        {label}
      </label>
      <span className="pick-btn">
        <strong aria-hidden>
          {fullDateText(side.takenAt, timeZone)} {clock(side.takenAt)}
        </strong>
        <ChevronDown className="icon-s soft" aria-hidden />
        <select id={id} value={side.snapshotId} onChange={(event) => onPick(event.target.value)}>
          {choices
            .filter(({ snapshotId }) => snapshotId !== other.snapshotId)
            .map(({ snapshotId, takenAt }) => (
              <option key={snapshotId} value={snapshotId}>
                {dateText(takenAt, timeZone, now)} {clock(takenAt)}
              </option>
            ))}
        </select>
      </span>
      <p className="fact-line">
        {known && (
          <VersionVerified row={{ verify: known.verify, date: side.takenAt }} timeZone={timeZone} now={now} />
        )}
        <span>{bytesText(side.sizeBytes)}</span>
        {known?.keptUntil != null && <span>{copy.keptUntil(dateText(known.keptUntil, timeZone, now))}</span>}
        {twin !== null && <span>{twin}</span>}
      </p>
    </div>
  );
}
