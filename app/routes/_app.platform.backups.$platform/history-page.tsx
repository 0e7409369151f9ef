import { Link, useSearchParams } from "@remix-run/react";
import { ArrowLeft, ArrowUpRight, RotateCcw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { lazyDialog } from "#app/components/dialog.tsx";
import { GuideDialog } from "#app/components/guide-dialog.tsx";
import { PageHeader } from "#app/components/page-header.tsx";
import { Pagination } from "#app/components/pagination.tsx";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { historyCopy as copy } from "#app/copy/history.ts";
import { regionNames } from "#app/copy/regions.ts";
import { restoreCopy } from "#app/copy/restore.ts";
import { roleCopy } from "#app/copy/shared.ts";
import { HISTORY_PER_PAGE } from "#app/history/fetch-history.ts";
import { ItemTags } from "#app/items/item-name.tsx";
import type { RestoreDialogProps } from "#app/restore/restore-dialog.tsx";
import { restorableVersions } from "#app/restore/restore-form.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { readAddress, withoutRun, withPage } from "./address.ts";
import { AlarmLimitsNote } from "./alarm-limits.tsx";
import { AlarmNote } from "./alarm-note.tsx";
import type { EraseDialogProps } from "./erase-dialog.tsx";
import { ItemFacts } from "./item-facts.tsx";
import { ItemRibbon } from "./item-ribbon.tsx";
import type { HistoryPageData } from "./queries.server.ts";
import { useHistory } from "./use-history.ts";
import { VersionTable } from "./version-table.tsx";

const HOUR = 3_600_000;

const ScopeDialog = lazyDialog(() => import("./scope-dialog.tsx"), "m");
const EraseDialog = lazyDialog<EraseDialogProps>(() => import("./erase-dialog.tsx"));
const RestoreDialog = lazyDialog<RestoreDialogProps>(() => import("#app/restore/restore-dialog.tsx"), "l");

/** One item: its ribbon, its facts, and its versions with their actions. */
export function HistoryPage({ data }: { data: HistoryPageData & { name: string } }) {
  const [search, setSearch] = useSearchParams();
  const address = readAddress(search);
  const { item: known, view, page, isLoading, failure } = useHistory(data, address.page);
  const item = { ...known, typeKey: known.typeKey ?? address.typeKey ?? undefined };
  const [isGuide, setIsGuide] = useState(false);
  const guide = data.canManage ? restoreWords[item.platform]?.guide : undefined;
  const [restoring, setRestoring] = useState<string | null>(null);
  const [erasing, setErasing] = useState<{ snapshotId: string; time: string } | null>(null);
  const [scope, setScope] = useState<{ snapshotId: string; time: string } | null>(null);
  const label = descriptors.find(({ id }) => id === item.platform)?.label ?? item.platform;
  const versions = mergeVersions(view.rows, data.recent);
  const latest = restorableVersions(versions)[0] ?? null;
  const reason = restoreBlock(data, item, latest);

  const isRun = address.isRun;
  const firstGood = view.rows.find((row) => row.type === "backup" && row.status === "success");
  useEffect(() => {
    if (!isRun) return;
    if (data.canManage && firstGood?.snapshotId) setRestoring(firstGood.snapshotId);
    setSearch((before) => withoutRun(before), { replace: true, preventScrollReset: true });
  }, [isRun, data.canManage, firstGood?.snapshotId, setSearch]);

  const restoreLatest = (size?: "l") => (
    <Button
      variant="solid"
      size={size}
      reason={reason}
      onClick={() => setRestoring(latest?.snapshotId ?? null)}
    >
      <RotateCcw aria-hidden />
      {copy.restoreLatest}
    </Button>
  );

  return (
    <>
      <HistoryHeader
        data={data}
        item={item}
        placeName={data.placeName ?? address.user}
        action={
          <>
            {guide && (
              <Button variant="ghost" onClick={() => setIsGuide(true)}>
                {guide.label}
              </Button>
            )}
            {restoreLatest()}
          </>
        }
      />
      <AlarmNote
        alarms={data.alarms}
        itemId={item.id}
        platform={item.platform}
        canManage={data.canManage}
        timeZone={data.timeZone}
        now={data.now}
      />
      <ItemRibbon days={item.ribbon} />
      <ItemFacts
        item={item}
        recent={versions}
        label={label}
        periodMs={data.plan.periodMs}
        timeZone={data.timeZone}
        now={data.now}
      />
      <VersionTable
        item={item}
        name={data.name}
        view={view}
        page={page}
        failure={failure}
        isLoading={isLoading}
        canManage={data.canManage}
        isOwner={data.isOwner}
        isConnected={data.connection?.status !== "revoked"}
        timeZone={data.timeZone}
        now={data.now}
        onRestore={setRestoring}
        onErase={(snapshotId, time) => setErasing({ snapshotId, time })}
        onScope={(snapshotId, time) => setScope({ snapshotId, time })}
        onFirstPage={() => setSearch((before) => withPage(before, 0))}
      />
      {view.total > 0 && (
        <Pagination
          page={page}
          perPage={HISTORY_PER_PAGE}
          total={view.total}
          onPage={(next) => setSearch((before) => withPage(before, next), { preventScrollReset: true })}
        />
      )}
      <p className="meta version-note">{copy.note(data.timeZone)}</p>
      <AlarmLimitsNote limits={data.alarmLimits} itemId={item.id} canManage={data.canManage} />
      <div className="action-bar version-bar only-s">{restoreLatest("l")}</div>
      {guide && <GuideDialog isOpen={isGuide} onClose={() => setIsGuide(false)} guide={guide} />}
      <ScopeDialog
        isOpen={scope !== null}
        onClose={() => setScope(null)}
        version={{ platform: item.platform, itemId: item.id, snapshotId: scope?.snapshotId ?? "" }}
        name={data.name}
        time={scope?.time ?? ""}
      />
      <EraseDialog
        isOpen={erasing !== null}
        onClose={() => setErasing(null)}
        itemId={item.id}
        name={data.name}
        snapshotId={erasing?.snapshotId ?? ""}
        time={erasing?.time ?? ""}
      />
      <RestoreDialog
        isOpen={restoring !== null}
        onClose={() => setRestoring(null)}
        item={item}
        snapshotId={restoring ?? "latest"}
        rows={versions}
        places={data.places}
        timeZone={data.timeZone}
        now={data.now}
      />
    </>
  );
}

/** The ways back to the list and out to the platform; the item's name; and the main action. */
function HistoryHeader({
  data,
  item,
  placeName,
  action,
}: {
  data: HistoryPageData & { name: string };
  item: ItemView;
  placeName: string | null;
  action: ReactNode;
}) {
  const descriptor = descriptors.find(({ id }) => id === item.platform);
  const kind = descriptor?.itemKinds.find(({ id }) => id === item.kind);
  const label = descriptor?.label ?? item.platform;
  return (
    <>
      <div className="row between">
        <Link className="back-link" to={listPath(data, kind?.isSub ?? false)}>
          <ArrowLeft className="icon-s" aria-hidden />
          {copy.back(kind?.many ?? label)}
        </Link>
        <a className="back-link visit-s" href={item.webUrl} target="_blank" rel="noreferrer">
          {copy.visit(label)}
          <ArrowUpRight className="icon-s" aria-hidden />
        </a>
      </div>
      <PageHeader
        folio={folioOf({ ...data, placeName })}
        mark={
          <span role="img" aria-label={label}>
            <PlatformMark platform={item.platform} size="l" />
          </span>
        }
        title={
          <>
            <span className="title-name">{data.name}</span>
            <ItemTags tags={item.tags} />
            {item.status === "deleted" && <span className="badge badge-dash">{copy.gone(label)}</span>}
          </>
        }
        actions={
          <>
            <a
              className={buttonClass({ variant: "ghost" })}
              href={item.webUrl}
              target="_blank"
              rel="noreferrer"
            >
              {copy.visit(label)}
              <ArrowUpRight aria-hidden />
            </a>
            {action}
          </>
        }
      />
    </>
  );
}

/** The versions that a restore may use: the page's rows and the newest rows, without duplicates, newest first. */
export function mergeVersions(rows: readonly HistoryRow[], recent: readonly HistoryRow[]): HistoryRow[] {
  const keys = new Set(rows.map(({ key }) => key));
  return [...rows, ...recent.filter(({ key }) => !keys.has(key))].sort((a, b) => b.date - a.date);
}

/** Why the newest version cannot be restored now; null when it can. */
function restoreBlock(
  { canManage, connection }: HistoryPageData,
  item: ItemView,
  latest: HistoryRow | null,
): string | null {
  if (!canManage) return roleCopy.reason;
  if (connection?.status === "revoked") return restoreCopy.reasons.disconnected;
  if (item.status === "initialized") return restoreCopy.reasons.firstBackup;
  return latest === null ? restoreCopy.noVersion : null;
}

function folioOf({ placeName, connection, plan }: HistoryPageData): string[] {
  const place = placeName ?? connection?.name;
  const region = connection === null ? undefined : regionNames[connection.region];
  const rhythm = copy.folioPlan(copy.plans[plan.plan], Math.round(plan.periodMs / HOUR));
  return [place, plan.plan === "none" ? copy.plans.none : rhythm, region].filter(
    (part) => part !== undefined,
  );
}

function listPath({ item, connection }: HistoryPageData, isSub: boolean): string {
  const query = new URLSearchParams();
  if (connection?.accountId) query.set("account", connection.accountId);
  if (isSub) query.set("kind", item.kind);
  if (item.placeId !== null) query.set("place", item.placeId);
  const text = query.toString();
  return `/platform/dashboard/${item.platform}${text === "" ? "" : `?${text}`}`;
}
