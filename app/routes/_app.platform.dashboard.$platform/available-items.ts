import { addItemsCopy as copy } from "#app/copy/item-dialogs.ts";
import { isUnlimited } from "#app/money/unlimited.ts";
import type { ShellPlatform } from "#app/shell/shell-view.ts";
import type { Entitlements } from "#core/billing/entitlements-view.ts";
import type { AvailableItemView } from "#core/inventory/views.ts";

const LEAST = 20;
const MOST = 100;

/** Distance from the bottom, in pixels, at which the next page is loaded (spec P-448). */
export const SCROLL_MARGIN_PX = 150;

/** Page size of the add dialog: the remaining quota, between 20 and 100 (spec P-447). */
export function dialogPageSize(remainingQuota: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.floor(remainingQuota)));
}

/** True when a list is scrolled close enough to its end to load more. */
export function isNearEnd(box: { scrollTop: number; clientHeight: number; scrollHeight: number }): boolean {
  return box.scrollHeight - box.scrollTop - box.clientHeight <= SCROLL_MARGIN_PX;
}

/** The selected items, by the platform's id. */
export type Chosen = ReadonlyMap<string, AvailableItemView>;

/** Selects or deselects an item. Ignores items beyond the quota, protected ones and those that cannot be. */
export function choose(chosen: Chosen, item: AvailableItemView, remainingQuota: number): Chosen {
  const next = new Map(chosen);
  if (next.delete(item.externalId)) return next;
  if (item.isAdded || item.blocked !== undefined || chosen.size >= remainingQuota) return chosen;
  return next.set(item.externalId, item);
}

/** Appends a loaded page, without items that are already listed because the pages shifted. */
export function appendPage(
  items: readonly AvailableItemView[],
  page: readonly AvailableItemView[],
): readonly AvailableItemView[] {
  const known = new Set(items.map((item) => item.externalId));
  return [...items, ...page.filter((item) => !known.has(item.externalId))];
}

/**
 * The message at the limit (spec P-423, P-424). Members who cannot change the subscription are told who can (spec
 * P-285).
 */
export function limitText(
  plan: Entitlements["plan"],
  isOwner: boolean,
  counts: "items" | "users" = "items",
): string {
  // Users do not keep anybody from adding items (spec P-425).
  if (counts === "users")
    return `${copy.userLimitText} ${isOwner ? copy.userLimitOwner : copy.userLimitMember}`;
  const reached = plan === "trial" ? copy.limitTrial : copy.limitText;
  if (!isOwner) return `${reached} ${copy.limitAsk}`;
  return `${reached} ${plan === "trial" ? copy.limitSubscribe : copy.limitUpgrade}`;
}

/** The account has more users than its running subscription covers. */
export function isOverUsers(platforms: readonly ShellPlatform[], platform: string): boolean {
  const found = platforms.find(({ id }) => id === platform);
  if (!found || found.users == null || !found.plan.isActive) return false;
  return found.users > found.plan.itemLimit && !isUnlimited(platform, found.plan.itemLimit);
}
