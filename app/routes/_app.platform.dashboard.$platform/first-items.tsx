import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { RetentionRibbon } from "#app/components/retention-ribbon.tsx";
import { notify } from "#app/components/toasts.ts";
import { addItemsCopy, emptyCopy as copy } from "#app/copy/items.ts";
import { regionNames } from "#app/copy/regions.ts";
import { calendarDateText } from "#app/format/dates.ts";
import { countdownText } from "#app/format/duration.ts";
import { uis } from "#connectors/registry/descriptors.generated.ts";
import type { RibbonDay } from "#core/inventory/views.ts";
import { type Chosen, choose } from "./available-items.ts";
import { AvailableList } from "./available-list.tsx";
import { loadCalls } from "./lazy-calls.ts";
import type { ListQuery } from "./list-query.ts";
import { PlaceSelect } from "./list-toolbar.tsx";
import type { ItemListPage } from "./queries.server.ts";
import { useAvailableItems } from "./use-available-items.ts";
import type { Words } from "./words.ts";

const DAY_MS = 86_400_000;

/** The platform was just connected: what happens next, and the first items chosen already, up to the plan's limit. */
export function FirstItems({
  page,
  query,
  words,
  go,
  onOther,
  onAdded,
}: {
  page: ItemListPage;
  query: ListQuery;
  words: Words;
  go: (change: Partial<ListQuery>) => void;
  onOther: () => void;
  onAdded: () => void;
}) {
  const quota = page.entitlements.itemLimit;
  const available = useAvailableItems(
    { platform: page.platform, kind: query.kind, placeId: query.placeId, name: "", quota },
    true,
  );
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { items, pages } = available;
  useEffect(() => {
    if (pages !== 1) return;
    setChosen(
      items.reduce<Chosen>((picked, item) => choose(picked, item, available.remainingQuota), new Map()),
    );
  }, [pages, items, available.remainingQuota]);
  const picked: Chosen = chosen ?? new Map();

  async function start() {
    setIsBusy(true);
    setRefusal(null);
    try {
      const { addItems } = await loadCalls();
      await addItems(page.platform, query.kind, query.placeId, [...picked.values()]);
      notify(addItemsCopy.started(picked.size, words.one, words.many));
      onAdded();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setRefusal(cause.message);
    }
    setIsBusy(false);
  }

  const days = emptyRibbon(page.now);
  const restore = uis[page.platform]?.restore;
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
        <dl className="facts">
          <dt>{copy.account}</dt>
          <dd>{page.connection.name}</dd>
          <dt>{copy.region}</dt>
          <dd>{regionNames[page.connection.region]}</dd>
          <dt>{copy.included}</dt>
          <dd>{restore?.comesBack[query.kind]?.join(" ")}</dd>
          <dt>{copy.notIncluded}</dt>
          <dd>{restore?.cannot[query.kind]?.join(" ")}</dd>
        </dl>
      </div>
      <div className="stack">
        {refusal && <Callout tone="bad">{refusal}</Callout>}
        <div className="row between">
          <h3>{copy.preselected(picked.size, words.one, words.many)}</h3>
          {page.places.length > 1 && <PlaceSelect page={page} query={query} words={words} go={go} />}
        </div>
        <AvailableList
          available={available}
          words={words}
          name=""
          chosen={picked}
          isFull={picked.size >= available.remainingQuota}
          onToggle={(item) => setChosen(choose(picked, item, available.remainingQuota))}
        />
        <div className="row between">
          <button type="button" className="link" onClick={onOther}>
            {copy.others}
          </button>
          <Button
            variant="solid"
            isBusy={isBusy}
            reason={picked.size === 0 && !available.isLoading ? addItemsCopy.none(words.many) : null}
            aria-disabled={picked.size === 0}
            onClick={() => void start()}
          >
            {copy.start(picked.size)}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Thirty empty days that end today. */
function emptyRibbon(now: number): RibbonDay[] {
  return Array.from({ length: 30 }, (_, index) => ({
    date: new Date(now - (29 - index) * DAY_MS).toISOString().slice(0, 10),
    state: "none" as const,
    versions: 0,
    isRestored: false,
  }));
}
