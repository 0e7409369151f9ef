import type { VerifyEvent, VerifyOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { verifyRepositories } from "#connectors/toolkit/git/repository/verify-repositories.ts";
import { GIT, WIKI } from "../git-platform.ts";
import { mayLackGit } from "./project-record.ts";

/** Verifies the git data of a version, the wiki's included; see `verifyRepositories`. */
export async function* verify(snapshot: SnapshotView, order: VerifyOrder): AsyncIterable<VerifyEvent> {
  const isOptional = await mayLackGit(snapshot);
  const check = isOptional ? { prefixes: [], optional: [GIT, WIKI] } : { prefixes: [GIT], optional: [WIKI] };
  yield* verifyRepositories(snapshot, order, { platformName: "GitLab", ...check });
}
