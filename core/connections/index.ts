/**
 * Connections to platform accounts: authorising, confirming, changing and removing them, their tokens, places and
 * regions. Opens all sessions with platforms, because tokens are sealed and renewed only here. Every function takes the
 * organisation from the member, never from the request.
 */
export { confirmAccount, sendAccountCode } from "./accounts/account-code.ts";
export { changeAccountByName } from "./accounts/change-account.ts";
export { chooseRegion, savedRegion } from "./accounts/choose-region.ts";
export { connectByName } from "./accounts/connect-by-name.ts";
export { removeAccount } from "./accounts/remove-account.ts";
export { removeAllAccounts } from "./accounts/remove-all-accounts.ts";
export { replaceToken } from "./accounts/replace-token.ts";
export { setAutoAdd } from "./accounts/set-auto-add.ts";
export { listStorageRegions, regionNamed, STORAGE_REGION_NAMES } from "./accounts/storage-region.ts";
export {
  chooseAccountByName,
  chooseAccounts,
  findChoiceId,
  listCandidates,
} from "./authorisation/account-choice.ts";
export { beginAuthorisation } from "./authorisation/begin-authorisation.ts";
export { completeAuthorisation, declineAuthorisation } from "./authorisation/complete-authorisation.ts";
export { connectInstallation } from "./authorisation/connect-installation.ts";
export { pruneAuthorisations } from "./authorisation/prune-authorisations.ts";
export { bringToken, loseBroughtTokens } from "./brought-token.ts";
export {
  type ConnectionRow,
  claimAutoAdds,
  connectionRows,
  findConnectionRow,
  listConnectionRows,
  listConnectionsOfAccounts,
} from "./connection.store.ts";
export { connectionRowsOf, connectionsKey, listAllConnections, listConnections } from "./list-connections.ts";
export { connectorOf, openSession, quotaLeft, type UsedTokens } from "./open-session.ts";
export { deletePlaces, listPlaceRows, listPlaceRowsOf, type PlaceRow } from "./places.store.ts";
export {
  addedPlaceIds,
  addPlaces,
  listAvailablePlaces,
  listPlaces,
  listRestorePlaces,
  requireBrowsedPlace,
  requirePlace,
  requireRestorePlace,
} from "./places.ts";
export { findRemovedConnection, forgetRemovedConnection } from "./removed-connection.store.ts";
export { reportLostConnection } from "./report-lost-connection.ts";
export {
  type ConnectionScope,
  doneBy,
  requireConfirmed,
  requireConnection,
  requireConnections,
  requireRight,
} from "./require-connection.ts";
export { emptyJobOf, sweepRemovedConnections } from "./sweep-removed-connections.ts";
export { translateFailure } from "./translate-failure.ts";
export type * from "./views.ts";
