import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  RestoreTarget,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { findChain, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { restoreRepository } from "#connectors/toolkit/git/repository/push-repository.ts";
import { githubClient, githubRemote } from "./client.ts";
import { GIT, gitPlatform } from "./git-platform.ts";
import { REPOSITORY_ENTRY, repositoryRecordSchema } from "./repository-record.ts";
import { applySettings, createTarget, switchActionsOff } from "./restore-repository.ts";

/** Choices of the restore dialog. */
const optionsSchema = z
  .object({ pullRequestBranches: z.boolean().catch(false) })
  .catch({ pullRequestBranches: false });

/**
 * Brings a repository back as a NEW one: create it private, switch Actions off so that restored workflows do not
 * run, push every git pack and then every ref, set what people see. Each step looks at what is there first, so a
 * replay after a crash continues and makes nothing twice.
 */
export async function* restore(
  session: Session,
  snapshot: SnapshotView,
  target: RestoreTarget,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const source = repositoryRecordSchema.parse(await snapshot.readRecord(REPOSITORY_ENTRY));
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
  const options = optionsSchema.parse(target.options ?? {});
  const client = githubClient(session);
  const created = yield* createTarget({ session, client, journal }, { source, target });
  yield* switchActionsOff({ client, journal }, created);
  const remote = githubRemote(session, created.fullName);
  const branches = yield* restoreRepository(
    { session, snapshot, journal },
    {
      platform: gitPlatform,
      remote,
      prefix: GIT,
      refs,
      chain,
      proposalBranches: options.pullRequestBranches,
    },
  );
  yield* applySettings({ client }, { created, source, refs, branches });
  return created;
}
