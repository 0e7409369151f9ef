import type { VersionRef } from "#app/version/address.ts";
import {
  describeVersion,
  listViews,
  openAhead,
  openForReading,
  readable,
  type VersionFacts,
  type ViewRow,
} from "#core/browsing/index.ts";
import { getItem } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { type Member, mayManage } from "#core/organisations/index.ts";
import type { AccessServices, Uses, VaultServices } from "#core/services.ts";

/** The data of the page around every frame. */
export type VersionPageData = VersionRef & {
  /** Null for members who may not read versions. */
  facts: VersionFacts | null;
  /** Why the version cannot be shown. */
  problem: string | null;
  itemName: string;
  connectionId: string;
  views: ViewRow[];
  timeZone: string;
  now: number;
};

/** Reads the facts and the views of a version. @throws AppError `err.not.found` */
export async function readVersionPage(
  services: AccessServices & VaultServices & Uses<"connectorConfig" | "windows">,
  member: Member,
  version: VersionRef,
): Promise<VersionPageData> {
  const mayRead = await mayManage(services, member, version.platform);
  if (mayRead) openAhead(services, member, version);
  const item = await getItem(services, member, version);
  if (item.platform !== version.platform) throw new AppError("err.not.found");
  const data: VersionPageData = {
    ...version,
    facts: null,
    problem: null,
    itemName: item.name,
    connectionId: item.connectionId,
    views: [],
    timeZone: member.timeZone,
    now: services.clock.now(),
  };
  if (!mayRead) return data;
  try {
    await readable(async () => {
      const open = await openForReading(services, member, version);
      data.facts = describeVersion(open);
      data.views = (await listViews(open)).views;
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "err.version.unreadable") throw error;
    data.problem = error.message;
  }
  return data;
}
