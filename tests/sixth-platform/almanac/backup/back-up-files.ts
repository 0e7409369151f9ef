import type { BackupEvent, Session } from "#connectors/contract/platform-connector.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { almanacApi, paths, siteOf } from "../client.ts";
import type { FileFacts } from "../payloads.ts";

/** The files of a page or row. A file's bytes never change, so one that the previous version has is kept. */
export async function* backUpFiles(
  { session, order }: StagesRun,
  { folder, parent, files }: { folder: string; parent: string; files: readonly FileFacts[] },
): AsyncGenerator<BackupEvent, void> {
  for (const file of files) {
    const path = `${folder}files/${file.id}`;
    if ((await order.previous?.find(path))?.hash === file.sha256) {
      yield { type: "keep", path };
      continue;
    }
    try {
      yield await fileStream(session, order.item.externalId, { path, parent, file });
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      yield { type: "skipped", path, kind: "file", reason: error.message };
    }
  }
}

async function fileStream(
  session: Session,
  bookId: string,
  { path, parent, file }: { path: string; parent: string; file: FileFacts },
): Promise<BackupEvent> {
  const { id, name, sizeBytes, sha256 } = file;
  const { baseUrl, headers } = almanacApi(session.config);
  const url = `${baseUrl}${paths.file(siteOf(session), bookId, id)}`;
  const about = `the file ${name}`;
  const { write } = await openDownload(session, { platform: "Almanac", url, headers, about, sizeBytes });
  return {
    ...{ type: "stream", path, kind: "file", title: name, parent, expectedHash: sha256 },
    write: (sink, report) =>
      write(sink, (done) => report?.({ phase: `Receiving ${name}`, done, total: sizeBytes, unit: "bytes" })),
  };
}
