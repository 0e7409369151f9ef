import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { explainRefusals } from "#connectors/toolkit/git/repository/explain-refusals.ts";
import {
  findChain,
  type GitChain,
  hasRepository,
  type RefsRecord,
  readRefs,
} from "#connectors/toolkit/git/repository/git-chain.ts";
import { pushRepository } from "#connectors/toolkit/git/repository/push-repository.ts";
import { gitlabRemote } from "./client.ts";
import { GIT, plainGitPlatform, WIKI } from "./git-platform.ts";
import { mayLackGit } from "./project-record.ts";
import { isRefusal } from "./restore-refusal.ts";

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

/** What a report says of a version that holds no git data. */
export const WITHOUT_GIT: RestoreEvent = {
  type: "impossible",
  what: "Commits, branches and tags",
  reason:
    "The version holds none: when it was taken, the repository was switched off or nobody had pushed to it.",
};

/**
 * The git data of a version of a project; null = it holds none, because there was none to be had when it was taken.
 * @throws ConnectorError as {@link readGit}
 */
export async function findGit(snapshot: SnapshotView): Promise<{ refs: RefsRecord; chain: GitChain } | null> {
  if (!(await hasRepository(snapshot, GIT)) && (await mayLackGit(snapshot))) return null;
  return await readGit(snapshot);
}

/** The wiki is a repository of its own that comes into being with the first push. */
export async function* restoreWiki(
  deps: { session: Session; snapshot: SnapshotView; journal: RestoreJournal },
  created: RestoredItem,
): AsyncGenerator<RestoreEvent> {
  const chain = await findChain(deps.snapshot, WIKI);
  if (chain === null || chain.packs.length === 0) return;
  const refs = await readRefs(deps.snapshot, WIKI);
  const remote = gitlabRemote(deps.session, `${created.fullName}.wiki`);
  const order = { platform: plainGitPlatform, remote, prefix: WIKI, refs, chain, proposalBranches: false };
  try {
    const { cameBack, refusals } = yield* pushRepository(deps, order);
    if (cameBack.length > 0) yield { type: "restored", kind: "wiki", count: 1 };
    yield* explainRefusals(refusals, plainGitPlatform);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    yield { type: "impossible", what: "The wiki", reason: error.message };
  }
}
