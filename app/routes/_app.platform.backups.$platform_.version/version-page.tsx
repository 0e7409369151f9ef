import { Link, Outlet, useLocation, useSearchParams } from "@remix-run/react";
import { Callout } from "#app/components/callout.tsx";
import { browseCopy as copy } from "#app/copy/browse.ts";
import { visibleName } from "#app/format/visible-text.ts";
import { type FrameName, placeIn } from "#app/version/address.ts";
import { VersionFrame } from "#app/version/version-frame.tsx";
import type { VersionFacts, ViewRow } from "#core/browsing/views.ts";
import type { VersionPageData } from "./queries.server.ts";
import { VersionAges } from "./version-ages.tsx";
import { VersionContext } from "./version-context.tsx";
import { VersionActions, VersionFactCards, VersionRibbon, VersionTitle } from "./version-head.tsx";

/** A version with its views as tabs. An open part has only a strip above it. */
export function VersionPage({ data }: { data: VersionPageData }) {
  const { facts, views } = data;
  const [query] = useSearchParams();
  const frame = useLocation().pathname.split("/version/")[1] ?? "";
  const shown = viewAt(views, frame, query.get("in"));
  const isOpen = query.has("part") || query.has("table");
  const isReadable = facts !== null && data.problem === null;
  // The view stands in one place, so that it keeps its state when a part is opened, as what is unfolded.
  return (
    <>
      {isReadable && shown !== null && isOpen ? (
        <VersionContext data={data} facts={facts} view={shown} />
      ) : (
        <VersionHead data={data} frame={frame} shown={shown} />
      )}
      {isReadable && <Outlet />}
    </>
  );
}

function VersionHead({
  data,
  frame,
  shown,
}: {
  data: VersionPageData;
  frame: string;
  shown: ViewRow | null;
}) {
  const { facts } = data;
  return (
    <VersionFrame
      itemId={data.itemId}
      itemName={data.itemName}
      folio={facts === null ? [] : folioOf(data)}
      title={
        facts === null ? (
          <span className="title-name">{visibleName(data.itemName)}</span>
        ) : (
          <VersionTitle data={data} facts={facts} />
        )
      }
      actions={facts !== null && <VersionActions data={data} facts={facts} />}
      problem={data.problem}
      needsRight={facts === null ? copy.readOnly : null}
    >
      {facts !== null && data.problem === null && (
        <>
          <VersionRibbon data={data} facts={facts} />
          <VersionFactCards data={data} facts={facts} />
          <VersionAges undated={data.undated} timeZone={data.timeZone} />
          {facts.isSound === false && <Callout tone="warn">{copy.damaged}</Callout>}
          <ViewTabs data={data} facts={facts} frame={frame} shown={shown} />
        </>
      )}
    </VersionFrame>
  );
}

/** Returns the view in the URL, or the first one of the kind; null = records. */
function viewAt(views: readonly ViewRow[], frame: string, id: string | null): ViewRow | null {
  const kind = frame.split("/")[0];
  return views.find((view) => view.kind === kind && (id === null || view.id === id)) ?? null;
}

/** So much of the tab before the open one is seen, so that people find it. */
const PEEK_PX = 48;

/** Scrolls the bar to the open view: on a narrow screen it may be beyond the edge. */
function bringIntoView(tab: HTMLAnchorElement | null): void {
  const bar = tab?.parentElement;
  if (tab && bar) bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - PEEK_PX;
}

function ViewTabs({
  data,
  facts,
  frame,
  shown,
}: {
  data: VersionPageData;
  facts: VersionFacts;
  frame: string;
  shown: ViewRow | null;
}) {
  const tab = (to: FrameName, place: { in?: string }, isShown: boolean) => ({
    to: placeIn(data, to, place),
    "aria-current": isShown ? ("page" as const) : undefined,
    ref: isShown ? bringIntoView : null,
  });
  const count = facts.kinds.reduce((all, each) => all + each.count, 0);
  return (
    <nav className="page-tabs" aria-label={copy.tabs}>
      {data.views.map((view) => (
        <Link key={view.id} {...tab(view.kind, { in: view.id }, view === shown)}>
          {view.label}
          {view.count !== undefined && (
            <>
              {" "}
              <span className="count">{view.count.toLocaleString("en-US")}</span>
            </>
          )}
        </Link>
      ))}
      <Link {...tab("records", {}, frame === "records")}>
        {copy.all} <span className="count">{count.toLocaleString("en-US")}</span>
      </Link>
    </nav>
  );
}

function folioOf({ itemName, item, places }: VersionPageData): string[] {
  const place = places.find(({ id }) => id === item.placeId)?.name;
  return [visibleName(itemName), ...(place === undefined ? [] : [visibleName(place)])];
}
