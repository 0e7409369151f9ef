import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { newWhole } from "#connectors/toolkit/records/new-whole.ts";
import { recordPaths } from "../record-paths.ts";
import { restorePart } from "./restore-part.ts";
import { restoreProject } from "./restore-project.ts";
import { readAnswers } from "./restore-questions.ts";
import { restoreSnippet } from "./restore-snippet.ts";

/**
 * Restores a version as a new project or snippet, or a part of it into an existing project. Each step first checks what exists, so a replay after a crash
 * continues without duplicates.
 */
export const restore: PlatformConnector["restore"] = async function* (session, snapshot, order, journal) {
  if (order.part !== null) return yield* restorePart({ session, snapshot, journal }, order);
  const target = newWhole(order);
  const isProject = (await snapshot.find(recordPaths.project)) !== null;
  return yield* isProject
    ? restoreProject(session, snapshot, { target, answers: readAnswers(order) }, journal)
    : restoreSnippet(session, snapshot, target, journal);
};
