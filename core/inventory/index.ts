/**
 * What is protected: connections to platform accounts, their places, and the items in them. It also opens the
 * conversations with platforms, because only here tokens are sealed and renewed. Every function takes the
 * organisation from the member, never from the request.
 */
export { beginAuthorisation, completeAuthorisation } from "./authorise.ts";
export { markItemDeleted } from "./change-items.store.ts";
export { addItems, removeItems, setDailyBackup } from "./change-items.ts";
export { type ConnectionRow, findConnectionRow } from "./connection.store.ts";
export { countProtectedItems, listAllConnections, listConnections } from "./connections.ts";
export { findItemRow, type ItemRow, listActiveItemRows } from "./items.store.ts";
export { findItemByReference, getItem, listAvailableItems, listItems } from "./list-items.ts";
export { itemWindow, placeWindow, progressOf } from "./load-views.ts";
export { connectorOf, openSession } from "./open-session.ts";
export { addPlaces, listAvailablePlaces, listPlaces, requirePlace } from "./places.ts";
export { reportLostConnection } from "./report-lost-connection.ts";
export { followingDue, nextDue } from "./schedule-time.ts";
export { doneBy, requireConnection, requireItem } from "./scope.ts";
export type * from "./views.ts";
