import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { type OpenDownload, openDownload } from "#connectors/toolkit/download.ts";
import { padId } from "#connectors/toolkit/records/pad-id.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { type BackupStage, isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { gitlabApi, gitlabClient, LARGEST_PAGE, paths } from "../client.ts";
import { recordPaths } from "../record-paths.ts";

/** A file that was attached to texts of the project. */
export const uploadSchema = z.object({ id: z.int(), size: z.int().nonnegative(), filename: z.string() });
type Upload = z.output<typeof uploadSchema>;
const cursorSchema = z.strictObject({
  next: z.string().nullable(),
  before: z.int().nonnegative(),
  done: z.array(z.int()),
});

/**
 * Files attached to a project's texts. GitLab lists them for maintainers, so texts need not be searched for links. The
 * bytes of an id never change, so files in the previous version are kept.
 */
export function uploadsStage(projectId: string): BackupStage {
  return {
    id: "uploads",
    optional: { kind: "upload", path: recordPaths.uploads, prefixes: [recordPaths.uploads] },
    async *run(run, cursor) {
      const resumed = readCursor(cursorSchema, cursor) ?? { next: null, before: 0, done: [] };
      // A text that this run does not read still has its links.
      if (cursor === null && run.order.previous !== null)
        yield { type: "keep-all", prefix: recordPaths.uploadLinks };
      let { before } = resumed;
      let done = new Set(resumed.done);
      let here = resumed.next;
      const call = {
        method: "GET",
        path: paths.uploads(projectId),
        query: { per_page: LARGEST_PAGE },
        about: "the attached files",
        missing: "forbidden",
      } as const;
      const pages = readPages(gitlabClient(run.session), call, z.array(uploadSchema), here);
      for await (const page of pages) {
        for (const upload of page.members) {
          if (done.has(upload.id)) continue;
          yield* backUpUpload(run, projectId, upload);
          done.add(upload.id);
          yield { type: "checkpoint", cursor: { next: here, before, done: [...done] } };
        }
        before += done.size;
        done = new Set();
        here = page.next;
      }
      yield { type: "reported", kind: "upload", count: before };
    },
  };
}

async function* backUpUpload(
  { session, order }: StagesRun,
  projectId: string,
  { id, size, filename }: Upload,
): AsyncGenerator<BackupEvent, void> {
  const path = `${recordPaths.uploads}${padId(id)}`;
  const kind = "upload";
  if ((await order.previous?.find(path))?.sizeBytes === size) {
    yield { type: "keep", path };
    return;
  }
  const { platform, baseUrl, headers } = gitlabApi(session.config);
  const about = `the attached file ${filename}`;
  let file: OpenDownload;
  try {
    const url = `${baseUrl}${paths.upload(projectId, id)}`;
    const order = { platform, url, headers: { ...headers, accept: "*/*" }, about, sizeBytes: size };
    file = await openDownload(session, order);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    yield { type: "skipped", path, kind, reason: error.message };
    return;
  }
  yield {
    ...{ type: "stream", path, kind, title: filename, parent: recordPaths.project },
    write: (sink, report) =>
      file.write(sink, (done) =>
        report?.({ phase: `Receiving ${filename}`, done, total: size, unit: "bytes" }),
      ),
  };
}
