import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { authoriser } from "./authorize.ts";
import { backUp } from "./back-up.ts";
import { boardView } from "./browse.ts";
import { API_VERSION, boardPage, quotas } from "./client.ts";
import { descriptor } from "./descriptor.ts";
import { entryKinds } from "./entry-kinds.ts";
import { exportFiles } from "./export.ts";
import { inventory, permissionLevels } from "./inventory.ts";
import { planPart } from "./plan-part.ts";
import { planRestore } from "./plan-restore.ts";
import { restore } from "./restore.ts";
import { restorePart } from "./restore-part.ts";

/** The Trello connector. */
export const connector = {
  descriptor,
  apiVersion: API_VERSION,
  entryKinds,
  quotas,
  permissionLevels,
  authoriser,
  ...inventory,
  webUrl: boardPage,
  backUp,
  exportFiles,
  boardView,
  restore,
  planRestore,
  restorePart,
  planPart,
} satisfies PlatformConnector;
