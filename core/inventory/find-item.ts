import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { regionOfItem } from "#core/kernel/ids.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { rememberedRegion, rememberRegion } from "./item-region.store.ts";
import { findItemRow, type ItemRow } from "./items.store.ts";

type Found = { item: ItemRow; ledger: LedgerDatabase };

/**
 * The ledger in which an item must be if it exists, before it is read. Null for an older id, which names no region.
 */
export function ledgerOfItem(
  s: Uses<"ledger">,
  organisationId: string,
  itemId: string,
): LedgerDatabase | null {
  const region = regionOfItem(itemId);
  return region && s.ledger(region, organisationId);
}

/**
 * Finds an item of an organisation in the ledger of the region in its id. An older id names no region: the item is
 * searched for in every ledger once, and its region is remembered. An unavailable ledger affects only its own items.
 *
 * @returns Null when the organisation has no such item.
 */
export async function findItem(
  s: Uses<"memory" | "control" | "ledger">,
  organisationId: string,
  itemId: string,
): Promise<Found | null> {
  const look = async (region: Region): Promise<Found | null> => {
    const ledger = s.ledger(region, organisationId);
    const read = () => findItemRow(ledger, organisationId, itemId);
    const item = await (s.memory ? s.memory(`item:${organisationId}:${region}:${itemId}`, read) : read());
    return item && { item, ledger };
  };
  const known = regionOfItem(itemId) ?? (await rememberedRegion(s.control, itemId));
  if (known) return look(known);
  const failures: unknown[] = [];
  for (const region of REGIONS) {
    const found = await look(region).catch((cause: unknown) => void failures.push(cause));
    if (!found) continue;
    await rememberRegion(s.control, { itemId, region });
    return found;
  }
  if (failures.length > 0) throw failures[0];
  return null;
}
