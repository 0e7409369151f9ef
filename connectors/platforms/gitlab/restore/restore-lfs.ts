import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readPointers, storedObjects } from "#connectors/toolkit/git/lfs/lfs-records.ts";
import { restoreFiles } from "#connectors/toolkit/git/lfs/restore-lfs.ts";
import type { GitChain } from "#connectors/toolkit/git/repository/git-chain.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { gitlabRemote, paths } from "../client.ts";
import { gitPlatform } from "../git-platform.ts";
import { attempt } from "./restore-refusal.ts";

/** Journaled before LFS is switched off: a later attempt must switch it on before it can upload. */
const SWITCHED_OFF = "lfs-switched-off";

/**
 * Uploads the Git LFS files before the push. GitLab refuses a push that references a file it lacks, unless LFS is
 * switched off in the project. So when a file is missing, LFS stays off until the settings are restored, and the
 * history is restored with the pointer.
 */
export async function* restoreLfs(
  deps: { session: Session; snapshot: SnapshotView; journal: RestoreJournal; client: HttpClient },
  { created, chain }: { created: RestoredItem; chain: GitChain },
): AsyncGenerator<RestoreEvent> {
  const { session, snapshot, journal, client } = deps;
  const { stored, missing } = await filesOf(snapshot, chain);
  if (stored.size === 0 && missing.length === 0) return;
  const path = paths.project(created.externalId);
  const about = "the switch of Git LFS";
  const switchTo = (isOn: boolean) =>
    attempt(
      "Git LFS",
      () => client.send({ method: "PUT", path, body: { lfs_enabled: isOn }, about, missing: "forbidden" }),
      "changed",
    );
  if (stored.size > 0 && (await journal.find(SWITCHED_OFF)) !== null) yield* switchTo(true);
  let isWhole = missing.length === 0;
  const server = { remote: gitlabRemote(session, created.fullName), platform: gitPlatform.name };
  for await (const event of restoreFiles(deps, server)) {
    if (event.type === "missing") isWhole = false;
    yield event;
  }
  yield* reportMissing(missing);
  if (isWhole) return;
  await journal.record(SWITCHED_OFF, true);
  yield* switchTo(false);
}

/** The Git LFS files in a version, and those that its history references but the version lacks. */
export async function filesOf(
  snapshot: SnapshotView,
  chain: GitChain,
): Promise<{ stored: Set<string>; missing: string[] }> {
  const stored = await storedObjects(snapshot);
  const named = await readPointers(snapshot, chain);
  return { stored, missing: [...named.keys()].filter((oid) => !stored.has(oid)) };
}

/** The report line for files that the version lacks. */
export function* reportMissing(missing: readonly string[]): Generator<RestoreEvent> {
  if (missing.length === 0) return;
  const what = `${missing.length} ${missing.length === 1 ? "file" : "files"} of Git LFS (e.g. ${missing[0]})`;
  const reason = "This version lacks them: GitLab did not give them to the backup. Their pointers come back.";
  yield { type: "missing", what, reason };
}
