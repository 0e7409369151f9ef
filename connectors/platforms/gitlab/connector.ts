import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { authoriser } from "./authorize.ts";
import { backUp } from "./back-up.ts";
import { fileTrees } from "./browse.ts";
import { API_VERSION, itemPage } from "./client.ts";
import { descriptor } from "./descriptor.ts";
import { entryKinds } from "./entry-kinds.ts";
import { cloneRoots, exportFiles } from "./export.ts";
import { inventory } from "./inventory.ts";
import { planRestore } from "./plan-restore.ts";
import { restore } from "./restore.ts";
import { verify } from "./verify.ts";

/** The GitLab connector. */
export const connector = {
  descriptor,
  apiVersion: API_VERSION,
  entryKinds,
  authoriser,
  ...inventory,
  webUrl: itemPage,
  backUp,
  verify,
  exportFiles,
  cloneRoots,
  fileTrees,
  planRestore,
  restore,
} satisfies PlatformConnector;
