import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { authoriser } from "./authorize.ts";
import { backUp } from "./backup/back-up.ts";
import { API_VERSION } from "./client.ts";
import { coverage } from "./coverage.ts";
import { descriptor } from "./descriptor.ts";
import { entryKinds } from "./entry-kinds.ts";
import { inventory } from "./inventory.ts";
import { marksOf } from "./marks.ts";
import { planRestore } from "./plan/plan-restore.ts";
import { exportFiles } from "./read/export.ts";
import { restore } from "./restore/restore.ts";
import { restoreQuestions } from "./restore/restore-questions.ts";

/** The connector, assembled from its parts. */
export const connector = {
  descriptor,
  apiVersion: API_VERSION,
  entryKinds,
  coverage,
  marksOf,
  authoriser,
  ...inventory,
  webUrl: (_config, item) => `https://boards.example/search?q=${encodeURIComponent(item.fullName)}`,
  backUp,
  exportFiles,
  restoreQuestions,
  planRestore,
  restore,
} satisfies PlatformConnector;
