import type { VersionRef } from "#app/version/address.ts";
import type { UndatedKinds } from "#connectors/contract/platform-connector.ts";
import { withoutFacts } from "#connectors/contract/row-facts.ts";
import { listHistory } from "#core/backups/index.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import {
  describeVersion,
  listViews,
  openAhead,
  openForReading,
  readable,
  undatedKinds,
  type VersionFacts,
  type ViewRow,
} from "#core/browsing/index.ts";
import type { PlaceView } from "#core/connections/views.ts";
import { getItem, listPlacesOfItem } from "#core/inventory/index.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, mayManage } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, Uses, VaultServices } from "#core/services.ts";

/** The number of newest rows in which the versions before and after this one are looked up. */
const RECENT_ROWS = 30;

/** The data of the page around every frame. */
export type VersionPageData = VersionRef & {
  /** Null for members who may not read versions. */
  facts: VersionFacts | null;
  /** Why the version cannot be shown. */
  problem: string | null;
  itemName: string;
  connectionId: string;
  item: ItemView;
  /** The newest versions and runs of the item, newest first. */
  recent: HistoryRow[];
  places: PlaceView[];
  views: ViewRow[];
  /** What the version holds that may be older than itself. */
  undated: readonly UndatedKinds[];
  timeZone: string;
  now: number;
};

/** Reads the facts and the views of a version. @throws AppError `err.not.found` */
export async function readVersionPage(
  services: AccessServices & SessionServices & VaultServices & Uses<"ids" | "windows">,
  member: Member,
  version: VersionRef,
): Promise<VersionPageData> {
  const mayRead = await mayManage(services, member, version.platform);
  if (mayRead) openAhead(services, member, version);
  const { itemId } = version;
  const [item, history, places] = await Promise.all([
    getItem(services, member, { itemId }),
    mayRead ? listHistory(services, member, { itemId, page: 0, perPage: RECENT_ROWS }) : null,
    mayRead ? listPlacesOfItem(services, member, { itemId }) : [],
  ]);
  if (item.platform !== version.platform) throw new AppError("err.not.found");
  const data: VersionPageData = {
    ...version,
    facts: null,
    problem: null,
    itemName: item.name,
    connectionId: item.connectionId,
    item: withoutFacts(item),
    recent: history?.rows.map((row) => ({ ...row, skipped: [], report: null })) ?? [],
    places,
    views: [],
    undated: [],
    timeZone: member.timeZone,
    now: services.clock.now(),
  };
  if (!mayRead) return data;
  try {
    await readable(async () => {
      const open = await openForReading(services, member, version);
      data.facts = describeVersion(open);
      data.undated = undatedKinds(open);
      data.views = (await listViews(open)).views;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "err.version.unreadable") throw error;
    data.problem = error.message;
  }
  return data;
}
