import type { VerifyEvent, VerifyOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { verifyRepositories } from "#connectors/toolkit/git/repository/verify-repositories.ts";
import { GIT, WIKI } from "../git-platform.ts";

/** Verifies the git data of a snapshot; see `verifyRepositories`. */
export function verify(snapshot: SnapshotView, order: VerifyOrder): AsyncIterable<VerifyEvent> {
  return verifyRepositories(snapshot, order, { platformName: "GitHub", prefixes: [GIT], optional: [WIKI] });
}
