import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { findAccount } from "./accounts.ts";
import { authoriser } from "./authorize.ts";
import { backUp } from "./backup/back-up.ts";
import { API_VERSION, gistPage, repositoryPage } from "./client.ts";
import { coverage } from "./coverage.ts";
import { descriptor } from "./descriptor.ts";
import { entryKinds } from "./entry-kinds.ts";
import { inventory } from "./inventory.ts";
import { LOGO } from "./logo.ts";
import { marksOf } from "./marks.ts";
import { planRestore } from "./plan/plan-restore.ts";
import { cloneRoots, exportFiles, reach } from "./read/export.ts";
import { verify } from "./read/verify.ts";
import { views } from "./read/views.ts";
import { restore } from "./restore/restore.ts";
import { restoreQuestions } from "./restore/restore-questions.ts";
import { restoredKinds } from "./restored-kinds.ts";
import { rowFacts } from "./row-facts.ts";
import { undated } from "./undated.ts";

/** GitHub's connector, assembled from its parts. */
export const connector = {
  descriptor,
  logo: LOGO,
  apiVersion: API_VERSION,
  entryKinds,
  coverage,
  restoredKinds,
  marksOf,
  undated,
  rowFacts,
  authoriser,
  findAccount,
  ...inventory,
  webUrl: (config, { kind, fullName }) =>
    kind === "gist" ? gistPage(config, fullName) : repositoryPage(config, fullName),
  backUp,
  verify,
  exportFiles,
  reach,
  cloneRoots,
  views,
  restoreQuestions,
  planRestore,
  restore,
} satisfies PlatformConnector;
