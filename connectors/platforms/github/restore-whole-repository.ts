import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreEvent, RestoreTarget } from "#connectors/contract/platform-connector.ts";
import { restoreFiles } from "#connectors/toolkit/git/lfs/restore-lfs.ts";
import { findChain, type RefsRecord, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { restoreRepository } from "#connectors/toolkit/git/repository/push-repository.ts";
import { githubClient, githubRemote, wikiName } from "./client.ts";
import { GIT, gitPlatform } from "./git-platform.ts";
import { REPOSITORY_ENTRY, repositoryRecordSchema } from "./repository-record.ts";
import type { RestoreIo } from "./restore-io.ts";
import { tellKept } from "./restore-kept.ts";
import { restoreLabels } from "./restore-labels.ts";
import { restoreMilestones } from "./restore-milestones.ts";
import { restoreReleases } from "./restore-releases.ts";
import { applySettings, createTarget, switchActionsOff } from "./restore-repository.ts";
import { restoreThreads } from "./restore-threads.ts";
import { restoreWiki } from "./restore-wiki.ts";

/** Choices of the restore dialog. */
export const optionsSchema = z
  .object({ pullRequestBranches: z.boolean().catch(false) })
  .catch({ pullRequestBranches: false });

/**
 * A repository as a NEW one: create it private, switch Actions off so that restored workflows do not run, push the files of Git
 * LFS, every git pack and then every ref, then what people wrote in the order of its numbers, and last what people see.
 */
export async function* restoreWholeRepository(
  deps: Pick<RestoreIo, "session" | "snapshot" | "journal">,
  target: RestoreTarget,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { session, snapshot, journal } = deps;
  const source = repositoryRecordSchema.parse(await snapshot.readRecord(REPOSITORY_ENTRY));
  const { refs, chain } = await requireGit(deps);
  const options = optionsSchema.parse(target.options ?? {});
  const client = githubClient(session);
  const created = yield* createTarget({ session, client, journal }, { source, target });
  const io: RestoreIo = { ...deps, client, created };
  yield* switchActionsOff({ client, journal }, created);
  const remote = githubRemote(session, created.fullName);
  yield* restoreFiles(deps, { remote, platform: gitPlatform.name });
  const branches = yield* restoreRepository(deps, {
    platform: gitPlatform,
    remote,
    prefix: GIT,
    refs,
    chain,
    proposalBranches: options.pullRequestBranches,
  });
  yield* restoreWiki(deps, { created, remote: githubRemote(session, wikiName(created.fullName)) });
  yield* restoreLabels(io);
  const milestones = yield* restoreMilestones(io);
  yield* restoreThreads(io, { sourceName: source.fullName, branches, milestones });
  yield* restoreReleases(io, tagsOf(refs));
  yield* tellKept(snapshot);
  yield* applySettings({ client }, { created, source, refs, branches });
  return created;
}

/** The git data of a version, before anything is created. @throws ConnectorError `unsupported` */
export async function requireGit({ snapshot }: Pick<RestoreIo, "snapshot">) {
  const refs = await readRefs(snapshot, GIT);
  const chain = await findChain(snapshot, GIT);
  if (chain === null) {
    throw new ConnectorError(
      "unsupported",
      "The list of git packs of this version is missing, so nothing was created.",
    );
  }
  if (refs.objectFormat !== "sha1") {
    throw new ConnectorError(
      "unsupported",
      "GitHub takes no repositories of the SHA-256 format, so nothing was created.",
    );
  }
  return { refs, chain };
}

/** The commit of every tag. */
export function tagsOf({ refs }: RefsRecord): Map<string, string> {
  const tags = refs.filter(({ name }) => name.startsWith("refs/tags/"));
  return new Map(tags.map(({ name, oid, peeled }) => [name.slice("refs/tags/".length), peeled ?? oid]));
}
