import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openUploadBody } from "#connectors/toolkit/upload-body.ts";
import { systemClock } from "#core/kernel/clock.ts";
import type { LfsPointer } from "../object-facts.ts";
import {
  askLfs,
  isExpired,
  LFS_BATCH,
  LFS_JSON,
  type LfsAction,
  type LfsAnswer,
  type LfsServer,
  sendLfs,
} from "./lfs-api.ts";
import { LFS, LFS_OBJECT } from "./lfs-records.ts";

/** Maximum number of refused files named in a report. */
const NAMES_SHOWN = 10;
const JOURNAL_KEY = "lfs";

/**
 * Uploads the Git LFS files. Must precede the push, because platforms refuse histories whose files they lack. The
 * server reports which files it already has, so a later attempt sends only missing ones.
 *
 * @param only Names of the files to upload; absent = all.
 */
export async function* restoreFiles(
  { snapshot, journal }: { snapshot: SnapshotView; journal: RestoreJournal },
  server: LfsServer,
  only?: ReadonlySet<string>,
): AsyncGenerator<RestoreEvent> {
  const files: LfsPointer[] = [];
  for await (const { path, sizeBytes } of snapshot.list(LFS)) {
    const oid = path.slice(LFS.length);
    if (only === undefined || only.has(oid)) files.push({ oid, sizeBytes });
  }
  if (files.length === 0) return;
  const refused = new Map<string, string[]>();
  if ((await journal.find(JOURNAL_KEY)) === null) {
    for (let from = 0; from < files.length; from += LFS_BATCH) {
      const batch = files.slice(from, from + LFS_BATCH);
      yield* uploadBatch({ snapshot, server, refused }, batch, { done: from, total: files.length });
    }
    // After a refusal a later attempt tries again, so that it can report the refusal again.
    if (refused.size === 0) await journal.record(JOURNAL_KEY, true);
  }
  const lost = [...refused.values()].reduce((sum, names) => sum + names.length, 0);
  if (lost < files.length) yield { type: "restored", kind: LFS_OBJECT, count: files.length - lost };
  for (const [reason, oids] of refused) {
    const shown = oids.slice(0, NAMES_SHOWN).join(", ");
    const more = oids.length > NAMES_SHOWN ? ` and ${oids.length - NAMES_SHOWN} more` : "";
    const what = `${oids.length} ${oids.length === 1 ? "file" : "files"} of Git LFS (${shown}${more})`;
    yield { type: "missing", what, reason };
  }
}

type Upload = { snapshot: SnapshotView; server: LfsServer; refused: Map<string, string[]> };

async function* uploadBatch(
  upload: Upload,
  batch: readonly LfsPointer[],
  { done, total }: { done: number; total: number },
): AsyncGenerator<RestoreEvent> {
  const { server, refused } = upload;
  const now = () => (server.remote.clock ?? systemClock).now();
  const refuse = (oid: string, reason: string) => refused.set(reason, [...(refused.get(reason) ?? []), oid]);
  let answers: LfsAnswer[];
  try {
    answers = await askLfs(server, { operation: "upload", objects: batch });
  } catch (error) {
    for (const { oid } of batch) refuse(oid, refusalOf(error));
    return;
  }
  for (const [index, file] of batch.entries()) {
    yield {
      type: "progress",
      progress: { phase: "Sending files of Git LFS", done: done + index, total, unit: "items" },
    };
    try {
      let answer = answers[index]!;
      const isStale = Object.values(answer.actions).some((action) => isExpired(action, now()));
      if (isStale) answer = (await askLfs(server, { operation: "upload", objects: [file] }))[0]!;
      if (answer.error !== null) {
        const { code, message } = answer.error;
        refuse(file.oid, `${server.platform} does not take it (${code}). It said: ${message}`);
      } else await uploadFile(upload, file, answer.actions);
    } catch (error) {
      refuse(file.oid, refusalOf(error));
    }
  }
}

/** Uploads one file and verifies it; without an action the server already has it. */
async function uploadFile(
  { snapshot, server }: Upload,
  { oid, sizeBytes }: LfsPointer,
  { upload, verify }: LfsAnswer["actions"],
): Promise<void> {
  if (upload !== undefined) await putFile(snapshot, server, { oid, sizeBytes, action: upload });
  if (verify !== undefined) {
    const body = JSON.stringify({ oid, size: sizeBytes });
    await sendLfs(server, verify, { method: "POST", body, type: LFS_JSON });
  }
}

async function putFile(
  snapshot: SnapshotView,
  server: LfsServer,
  { oid, sizeBytes, action }: LfsPointer & { action: LfsAction },
): Promise<void> {
  const type = "application/octet-stream";
  if (sizeBytes === 0) {
    return await sendLfs(server, action, { method: "PUT", body: new Uint8Array(0), type });
  }
  const sent = openUploadBody(chunksOf(snapshot, oid), sizeBytes);
  try {
    await sendLfs(server, action, { method: "PUT", body: sent.body, type });
  } catch (cause) {
    throw sent.failure() ?? cause; // the error of the byte source is more specific
  }
}

async function* chunksOf(snapshot: SnapshotView, oid: string): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of snapshot.read(`${LFS}${oid}`)) yield chunk;
}

/** The message of a refusal. @throws errors that are not refusals, so that a later attempt retries */
function refusalOf(error: unknown): string {
  const isRefusal =
    error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
  if (!isRefusal) throw error;
  return error.message;
}
