/**
 * The inventory: connections to platform accounts, their places, and the items in them. It also opens sessions with
 * platforms, because tokens are sealed and renewed only here. Every function takes the organisation from the member,
 * never from the request.
 */
export { confirmAccount, sendAccountCode } from "./accounts/account-code.ts";
export { changeAccountByName } from "./accounts/change-account.ts";
export { chooseRegion, savedRegion } from "./accounts/choose-region.ts";
export { connectByName } from "./accounts/connect-by-name.ts";
export { lookForNewItems, queueAutoAdds } from "./accounts/look-for-new-items.ts";
export { sweepRemovedConnections } from "./accounts/remove-connection.ts";
export { replaceToken } from "./accounts/replace-token.ts";
export { setAutoAdd } from "./accounts/set-auto-add.ts";
export { listStorageRegions, regionNamed, STORAGE_REGION_NAMES } from "./accounts/storage-region.ts";
export { beginAuthorisation, completeAuthorisation, declineAuthorisation } from "./authorise.ts";
export { listedDescription, markItemDeleted } from "./change-items.store.ts";
export { addItems, removeItems, setDailyBackup } from "./change-items.ts";
export { type ConnectionRow, findConnectionRow } from "./connection.store.ts";
export { countProtectedItems, listAllConnections, listConnections } from "./connections.ts";
export { findItemRow, type ItemRow, listItemRowsByIds } from "./items.store.ts";
export { findItemByReference, getItem, listAvailableItems, listItems } from "./list-items.ts";
export { itemWindow, placeWindow, progressOf } from "./load-views.ts";
export { connectorOf, openSession, quotaLeft } from "./open-session.ts";
export {
  addPlaces,
  listAvailablePlaces,
  listPlaces,
  listRestorePlaces,
  requirePlace,
  requireRestorePlace,
} from "./places.ts";
export { lostReasonOf, reportLostConnection } from "./report-lost-connection.ts";
export { followingDue, nextDue } from "./schedule-time.ts";
export { doneBy, requireConnection, requireItem } from "./scope.ts";
export { translateFailure } from "./translate-failure.ts";
export type * from "./views.ts";
