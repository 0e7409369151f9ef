import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { authoriser } from "./authorize.ts";
import { backUp } from "./backup/back-up.ts";
import { API_VERSION, projectPage, quotas } from "./client.ts";
import { coverage } from "./coverage.ts";
import { descriptor } from "./descriptor.ts";
import { entryKinds } from "./entry-kinds.ts";
import { inventory } from "./inventory.ts";
import { LOGO } from "./logo.ts";
import { marksOf } from "./marks.ts";
import { operations } from "./operations.ts";
import { people } from "./people.ts";
import { planRestore } from "./plan/plan-restore.ts";
import { exportFiles } from "./read/export.ts";
import { views } from "./read/views.ts";
import { restore } from "./restore/restore.ts";
import { restoreQuestions } from "./restore/restore-questions.ts";
import { restoredKinds } from "./restored-kinds.ts";
import { rowFacts } from "./row-facts.ts";
import { countSeats } from "./seats.ts";

/** The Jira connector. */
export const connector = {
  descriptor,
  logo: LOGO,
  apiVersion: API_VERSION,
  entryKinds,
  coverage,
  restoredKinds,
  quotas,
  marksOf,
  rowFacts,
  operations,
  authoriser,
  ...inventory,
  countSeats,
  people,
  webUrl: projectPage,
  backUp,
  exportFiles,
  views,
  restoreQuestions,
  planRestore,
  restore,
} satisfies PlatformConnector;
