import { useEffect, useState } from "react";
import { lazyWhenOpen } from "#app/components/lazy-when-open.tsx";
import { emptyCopy as copy } from "#app/copy/items.ts";
import { regionNames } from "#app/copy/regions.ts";
import { calendarDateText } from "#app/format/dates.ts";
import { countdownText } from "#app/format/duration.ts";
import { RetentionRibbon } from "#app/history/retention-ribbon.tsx";
import type { RibbonDay } from "#core/inventory/views.ts";
import type { FirstItemsProps } from "./first-choice.tsx";

const DAY_MS = 86_400_000;
const FirstChoice = lazyWhenOpen(() => import("./first-choice.tsx"), Asking);

/** Shown after connecting a platform: what happens next, and the first items to select. */
export function FirstItems(props: FirstItemsProps) {
  const { page, query, words } = props;
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  const days = emptyRibbon(page.now);
  return (
    <section className="empty-state">
      <div>
        <h2>{copy.title(words.label, words.many)}</h2>
        <p className="empty-state__text">{copy.text(countdownText(page.entitlements.periodMs, 0))}</p>
        <div className="empty-state__ribbon">
          <RetentionRibbon
            days={days}
            label={copy.ribbon}
            style={{ "--cw": "10px", "--ch": "28px", "--cg": "3px" } as React.CSSProperties}
          />
          <div className="ribbon-ticks">
            <span style={{ left: 0 }}>{calendarDateText(days[0]?.date ?? "")}</span>
            <span className="end">{copy.today}</span>
          </div>
        </div>
      </div>
      {isInBrowser ? <FirstChoice isOpen {...props} /> : <Asking {...props} />}
      <dl className="facts empty-state__facts">
        <dt>{copy.account}</dt>
        <dd>{page.connection.name}</dd>
        <dt>{copy.region}</dt>
        <dd>{regionNames[page.connection.region]}</dd>
        {page.firstWords ? (
          <>
            <dt>{copy.included}</dt>
            <dd>{page.firstWords.comesBack[query.kind]?.join(" ")}</dd>
            <dt>{copy.notIncluded}</dt>
            <dd>{page.firstWords.cannot[query.kind]?.join(" ")}</dd>
          </>
        ) : null}
      </dl>
    </section>
  );
}

/** Keeps the room of the choice until it has loaded. */
function Asking({ words }: Pick<FirstItemsProps, "words">) {
  return (
    <p className="soft empty-state__choice" role="status">
      {copy.asking(words.label)}
    </p>
  );
}

/** Thirty empty days, ending today. */
function emptyRibbon(now: number): RibbonDay[] {
  return Array.from({ length: 30 }, (_, index) => ({
    date: new Date(now - (29 - index) * DAY_MS).toISOString().slice(0, 10),
    state: "none" as const,
    versions: 0,
    isRestored: false,
  }));
}
