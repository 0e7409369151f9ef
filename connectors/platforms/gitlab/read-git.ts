import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import {
  findChain,
  type GitChain,
  hasRepository,
  type RefsRecord,
  readRefs,
} from "#connectors/toolkit/git/repository/git-chain.ts";
import { GIT } from "./git-platform.ts";
import { mayLackGit, type ProjectRecord } from "./project-record.ts";

/** The git data of a version. @throws ConnectorError when it cannot be brought back, before anything is created */
export async function readGit(snapshot: SnapshotView): Promise<{ refs: RefsRecord; chain: GitChain }> {
  const refs = await readRefs(snapshot, GIT);
  const chain = await findChain(snapshot, GIT);
  if (chain === null) {
    const message = "The list of git packs of this version is missing, so nothing was created.";
    throw new ConnectorError("unsupported", message);
  }
  if (refs.objectFormat !== "sha1") {
    const message =
      "GitLab takes no pushes of the SHA-256 format into a new project, so nothing was created.";
    throw new ConnectorError("unsupported", message);
  }
  return { refs, chain };
}

/** What a report says of a version that holds no git data although the project had some. */
const WITHOUT_GIT: RestoreEvent = {
  type: "missing",
  what: "Commits, branches and tags",
  reason: "The version holds none: the repository was switched off in the project when it was taken.",
};

/** The line about git data that the version lacks; none where nobody had pushed anything. */
export function* tellWithoutGit(source: Pick<ProjectRecord, "isEmpty">): Generator<RestoreEvent> {
  if (source.isEmpty !== true) yield WITHOUT_GIT;
}

/**
 * The git data of a version of a project; null = it holds none, because there was none to be had when it was taken.
 * @throws ConnectorError as {@link readGit}
 */
export async function findGit(snapshot: SnapshotView): Promise<{ refs: RefsRecord; chain: GitChain } | null> {
  if (!(await hasRepository(snapshot, GIT)) && (await mayLackGit(snapshot))) return null;
  return await readGit(snapshot);
}
