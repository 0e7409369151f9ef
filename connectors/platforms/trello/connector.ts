import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { authoriser } from "./authorize.ts";
import { backUp } from "./backup/back-up.ts";
import { API_VERSION, boardPage, quotas } from "./client.ts";
import { coverage } from "./coverage.ts";
import { descriptor } from "./descriptor.ts";
import { entryKinds } from "./entry-kinds.ts";
import { inventory } from "./inventory.ts";
import { LOGO } from "./logo.ts";
import { marksOf } from "./marks.ts";
import { planRestore } from "./plan/plan-restore.ts";
import { exportFiles } from "./read/export.ts";
import { views } from "./read/views.ts";
import { restore } from "./restore/restore.ts";
import { rowFacts } from "./row-facts.ts";

/** The Trello connector. */
export const connector = {
  descriptor,
  logo: LOGO,
  apiVersion: API_VERSION,
  entryKinds,
  coverage,
  quotas,
  marksOf,
  rowFacts,
  authoriser,
  ...inventory,
  webUrl: boardPage,
  backUp,
  exportFiles,
  views,
  restore,
  planRestore,
} satisfies PlatformConnector;
