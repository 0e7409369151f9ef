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
import { githubClient } from "./client.ts";
import { ENTRY, findChain, readRefs } from "./git-chain.ts";
import { repositoryRecordSchema } from "./repository-record.ts";
import { restoreGit } from "./restore-git.ts";
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
  const source = repositoryRecordSchema.parse(await snapshot.readRecord(ENTRY.repository));
  const refs = await readRefs(snapshot);
  const chain = await findChain(snapshot);
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
  const branches = yield* restoreGit({ session, snapshot, journal }, { created, refs, chain, options });
  yield* applySettings({ client }, { created, source, refs, branches });
  return created;
}
