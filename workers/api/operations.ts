import { listActions, listHistory, requestAllBackups, requestBackup } from "#core/backups/index.ts";
import { requestZip } from "#core/exports/index.ts";
import {
  addItems,
  addPlaces,
  completeAuthorisation,
  countProtectedItems,
  findItemByReference,
  listAllConnections,
  listAvailableItems,
  listAvailablePlaces,
  listConnections,
  listItems,
  listPlaces,
  removeItems,
  setDailyBackup,
} from "#core/inventory/index.ts";
import { requestRestores } from "#core/restores/index.ts";

/** The rules behind the API, in one hand so that the doors can be tried with others. */
export const operations = {
  addItems,
  addPlaces,
  completeAuthorisation,
  countProtectedItems,
  findItemByReference,
  listActions,
  listAllConnections,
  listAvailableItems,
  listAvailablePlaces,
  listConnections,
  listHistory,
  listItems,
  listPlaces,
  removeItems,
  requestAllBackups,
  requestBackup,
  requestRestores,
  requestZip,
  setDailyBackup,
};

export type CoreOperations = typeof operations;
