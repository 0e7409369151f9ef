import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { newWhole } from "#connectors/toolkit/records/new-whole.ts";
import { recordPaths } from "../record-paths.ts";
import { restoreGist } from "./restore-gist.ts";
import { restorePart } from "./restore-part.ts";
import { readAnswers } from "./restore-questions.ts";
import { restoreRepository } from "./restore-repository.ts";

/**
 * Restores a snapshot as a new repository or gist, or a part of it into an existing repository. Each step first checks what exists, so a replay after a crash
 * continues without duplicates.
 */
export const restore: PlatformConnector["restore"] = async function* (session, snapshot, order, journal) {
  if (order.part !== null) return yield* restorePart({ session, snapshot, journal }, order);
  const target = newWhole(order);
  const isGist = (await snapshot.find(recordPaths.gist)) !== null;
  return yield* isGist
    ? restoreGist({ session, snapshot, journal })
    : restoreRepository({ session, snapshot, journal }, { target, answers: readAnswers(order) });
};
