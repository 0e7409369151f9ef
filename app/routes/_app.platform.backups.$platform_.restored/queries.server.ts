import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import { getRestore, type RestoreView } from "#core/restores/index.ts";
import type { AccessServices } from "#core/services.ts";

/** The data of the page. */
export type RestoredPageData = {
  itemId: string;
  itemName: string;
  connectionId: string;
  restore: RestoreView;
  timeZone: string;
  now: number;
};

/** Reads the report of a restore. @throws AppError `err.not.found` */
export async function readRestoredPage(
  services: AccessServices,
  member: Member,
  platform: string,
  address: { itemId: string; runId: string },
): Promise<RestoredPageData> {
  const restore = await getRestore(services, member, address);
  const { item } = restore;
  if (item.platform !== platform) throw new AppError("err.not.found");
  return {
    itemId: item.id,
    itemName: item.name,
    connectionId: item.connectionId,
    restore,
    timeZone: member.timeZone,
    now: services.clock.now(),
  };
}
