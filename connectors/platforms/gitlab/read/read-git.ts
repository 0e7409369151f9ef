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
import { GIT } from "../git-platform.ts";
import { mayLackGit, type ProjectRecord } from "./project-record.ts";

/** The git data of a version. @throws ConnectorError when it cannot be restored, before anything is created */
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

/** The report line for a version without git data although the project had some. */
const WITHOUT_GIT: RestoreEvent = {
  type: "missing",
  what: "Commits, branches and tags",
  reason: "The version holds none: the repository was switched off in the project when it was taken.",
};

/** The report line for missing git data; no line when the repository was empty. */
export function* reportWithoutGit(source: Pick<ProjectRecord, "isEmpty">): Generator<RestoreEvent> {
  if (source.isEmpty !== true) yield WITHOUT_GIT;
}

/**
 * The git data of a project's version; null = the repository was empty or disabled when the version was taken.
 * @throws ConnectorError as {@link readGit}
 */
export async function findGit(snapshot: SnapshotView): Promise<{ refs: RefsRecord; chain: GitChain } | null> {
  if (!(await hasRepository(snapshot, GIT)) && (await mayLackGit(snapshot))) return null;
  return await readGit(snapshot);
}
