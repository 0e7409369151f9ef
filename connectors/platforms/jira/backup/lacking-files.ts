import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Issue } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { numberOf } from "./search-issues.ts";

/** As of the state, which users do not see. */
const KIND = "state";

/** The files of an issue that a version has to do without. The next versions list them again, and fetch those of a sign-in. */
export type LackingFiles = z.output<typeof lackingSchema>;
const lackingSchema = z.strictObject({
  issueId: z.string(),
  number: z.number(),
  files: z.array(
    z.strictObject({
      id: z.string(),
      reason: z.string(),
      /** Nobody has signed in, so the file was not asked for. */
      needsSignIn: z.boolean(),
    }),
  ),
});
export type LackingFile = LackingFiles["files"][number];

/** Notes which files of an issue the version lacks, in place of what the previous one noted. */
export async function* noteLacking(
  previous: SnapshotView | null,
  { id, key }: Pick<Issue, "id" | "key">,
  files: readonly LackingFile[],
): AsyncGenerator<BackupEvent, void> {
  const path = recordPaths.lackingFiles(id);
  if (files.length > 0) {
    const value = { issueId: id, number: numberOf(key), files: [...files] };
    yield { type: "record", path, kind: KIND, value };
  } else if (await previous?.find(path)) {
    yield { type: "drop", path };
  }
}

/** The files that the previous version lacks of an issue; null = none. */
export async function findLacking(previous: SnapshotView, issueId: string): Promise<LackingFiles | null> {
  const path = recordPaths.lackingFiles(issueId);
  return (await previous.find(path)) ? readLacking(previous, path) : null;
}

/** The files that the previous version lacks, by issue. */
export async function* listLacking(previous: SnapshotView): AsyncGenerator<LackingFiles, void> {
  for await (const { path } of previous.list(recordPaths.lacking)) yield readLacking(previous, path);
}

async function readLacking(previous: SnapshotView, path: string): Promise<LackingFiles> {
  return lackingSchema.parse(await previous.readRecord(path));
}

/** Lists the files as skipped. */
export function* skippedFiles({
  issueId,
  files,
}: Pick<LackingFiles, "issueId" | "files">): Generator<BackupEvent> {
  for (const { id, reason } of files)
    yield { type: "skipped", path: recordPaths.attachment(issueId, id), kind: "attachment", reason };
}
