import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { gitlabApi, paths, webBase } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import { type UploadLink, uploadHomes, uploadLinksOf } from "../upload-links.ts";

/**
 * Notes which file each link of some texts leads to. A link names a file by a secret that GitLab's list of files does
 * not have, and pasted pictures are all called `image.png`. So GitLab is asked once for the size of the file behind each
 * link, and a restore finds the file by its name and size.
 */
export async function* backUpUploadLinks(
  run: StagesRun,
  projectId: string,
  texts: readonly (string | null | undefined)[],
): AsyncGenerator<BackupEvent, void> {
  const { fullName } = run.order.item;
  const homes = uploadHomes(webBase(run.session.config), { id: projectId, fullName });
  for (const link of texts.flatMap((text) => uploadLinksOf(text, homes))) {
    const path = recordPaths.uploadLink(link.secret);
    if (run.told.has(path)) continue;
    run.told.add(path);
    if (await run.order.previous?.find(path)) {
      yield { type: "keep", path };
      continue;
    }
    const sizeBytes = await sizeOf(run, projectId, link);
    if (sizeBytes === null) continue;
    const { filename } = link;
    const value = { filename, sizeBytes };
    yield { type: "record", path, kind: "upload-link", title: filename, parent: recordPaths.project, value };
  }
}

/** The size of the file behind a link; null = GitLab has no such file for us, or does not say. */
async function sizeOf(
  { session }: StagesRun,
  projectId: string,
  { secret, filename }: UploadLink,
): Promise<number | null> {
  const { platform, baseUrl, headers } = gitlabApi(session.config);
  const url = `${baseUrl}${paths.uploadOf(projectId, secret, filename)}`;
  const about = `the attached file ${filename}`;
  const order = { platform, url, headers: { ...headers, accept: "*/*" }, about, sizeBytes: null };
  try {
    const file = await openDownload(session, order);
    await file.cancel();
    return file.statedBytes;
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    return null;
  }
}
