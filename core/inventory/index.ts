/**
 * What is protected: the items of connections, how they are added and removed, and how lists show them. Every function
 * takes the organisation from the member, never from the request.
 */
export { lookForNewItems, queueAutoAdds } from "./auto-add/look-for-new-items.ts";
export { listedDescription, markItemDeleted } from "./change-items.store.ts";
export { addItems, removeItems, setDailyBackup } from "./change-items.ts";
export { emptyRemovedConnection } from "./empty-removed-connection.ts";
export { ledgerOfItem } from "./find-item.ts";
export { fitPlan, queueFits } from "./fit-plan.ts";
export { countProtectedItems } from "./item-counts.ts";
export { findItemRow, type ItemRow } from "./items.store.ts";
export { STALE_AFTER_MS, STALE_COUNTED } from "./limits.ts";
export { findItemByReference, getItem, listAvailableItems, listItems } from "./list-items.ts";
export { listPlacesOfItem } from "./list-places-of-item.ts";
export { itemWindow, placeWindow, progressOf } from "./load-views.ts";
export { countPlatformHoldings, removePlatformItems } from "./remove-platform-items.ts";
export { requireItem } from "./require-item.ts";
export { requireItems } from "./require-items.ts";
export { searchItems } from "./search-items.ts";
export { summariseAccounts } from "./summarise-accounts.ts";
export type * from "./views.ts";
