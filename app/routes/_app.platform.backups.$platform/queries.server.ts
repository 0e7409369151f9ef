import { withoutFacts } from "#connectors/contract/row-facts.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { type AlarmLimits, type AlarmView, getAlarmLimits, listItemAlarms } from "#core/alarms/index.ts";
import { listHistory } from "#core/backups/index.ts";
import type { HistoryRow, HistoryView } from "#core/backups/views.ts";
import type { Entitlements } from "#core/billing/entitlements-view.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { listConnections } from "#core/connections/index.ts";
import type { ConnectionView, PlaceView } from "#core/connections/views.ts";
import { getItem, listPlacesOfItem } from "#core/inventory/index.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canUse, type Member, mayManage } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, Uses } from "#core/services.ts";

/** The number of newest rows used for the facts above the table and as versions for a restore. */
const RECENT_ROWS = 30;

/** The data of the history page. */
export type HistoryPageData = {
  item: ItemView;
  /** The page in `history`, from 0. */
  page: number;
  history: HistoryView;
  /** The newest rows, independent of the open page, without their long lists. */
  recent: HistoryRow[];
  places: PlaceView[];
  placeName: string | null;
  /** `accountId` is its id in URLs if the platform has several accounts. */
  connection: (Pick<ConnectionView, "region" | "name" | "status"> & { accountId: string | null }) | null;
  plan: Pick<Entitlements, "plan" | "periodMs">;
  canManage: boolean;
  isOwner: boolean;
  /** Alarms that nobody has acknowledged yet. */
  alarms: AlarmView[];
  /** The loss that raises an alarm. */
  alarmLimits: AlarmLimits;
  timeZone: string;
  now: number;
};

/** True for a platform that exists and that the member may see (spec A-072: others redirect to the dashboard). */
export function mayOpen(member: Member, platform: string): boolean {
  return descriptors.some(({ id }) => id === platform) && canUse(member, platform);
}

/** Reads one item with one page of its history. @throws AppError `err.not.found` */
export async function readHistoryPage(
  services: AccessServices & SessionServices & Uses<"ids" | "windows">,
  member: Member,
  asked: { platform: string; itemId: string; page: number; perPage: number },
): Promise<HistoryPageData> {
  const { platform, itemId, page, perPage } = asked;
  const [item, recent, later, places, connections, plan, alarms, alarmLimits] = await Promise.all([
    getItem(services, member, { itemId }),
    listHistory(services, member, { itemId, page: 0, perPage: RECENT_ROWS }),
    page === 0 ? null : listHistory(services, member, { itemId, page, perPage }),
    listPlacesOfItem(services, member, { itemId }),
    listConnections(services, member, { platform }),
    entitlementsOf(services, member.organisationId, platform),
    listItemAlarms(services, member, { itemId }),
    getAlarmLimits(services, member, { itemId }),
  ]);
  if (item.platform !== platform) throw new AppError("err.not.found");
  const connection = connections.find(({ id }) => id === item.connectionId);
  return {
    item: withoutFacts(item),
    page,
    history: withoutReports(later ?? { rows: recent.rows.slice(0, perPage), total: recent.total }),
    recent: recent.rows.map((row) => ({ ...row, skipped: [], report: null })),
    places,
    placeName: places.find(({ id }) => id === item.placeId)?.name ?? null,
    connection:
      connection === undefined
        ? null
        : {
            region: connection.region,
            name: connection.name,
            status: connection.status,
            accountId: connections.length > 1 ? connection.id : null,
          },
    plan: { plan: plan.plan, periodMs: plan.periodMs },
    alarms,
    alarmLimits,
    canManage: await mayManage(services, member, platform),
    isOwner: member.role === "owner",
    timeZone: member.timeZone,
    now: services.clock.now(),
  };
}

/** A restore's report is a page of its own, and may be long. */
function withoutReports({ rows, total }: HistoryView): HistoryView {
  return { rows: rows.map((row) => ({ ...row, report: null })), total };
}
