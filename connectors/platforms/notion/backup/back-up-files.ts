import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { isOutOfReach, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { fileDownload } from "../client.ts";
import type { FoundFile } from "../record-form.ts";
import type { Work } from "./workspace-run.ts";

/** How the files of one thing are read. */
export type FilesOrder = {
  files: readonly FoundFile[];
  /** Addresses of the previous version's files by path. */
  old: ReadonlyMap<string, string>;
  /** Path of the entry that they belong to. */
  parent: string;
  /** Reads the thing again: the same files with new signatures. */
  refresh: () => Promise<readonly FoundFile[]>;
};

/**
 * The bytes of files. The address without its signature names the same bytes for good, so a file of the previous version
 * with the same address is kept without a request. Notion signs addresses for an hour; an expired one is listed again.
 *
 * @returns the paths of files that could not be read
 */
export async function* backUpFiles(work: Work, order: FilesOrder): AsyncGenerator<BackupEvent, Set<string>> {
  const lost = new Set<string>();
  for (const file of order.files) {
    const { path, address } = file;
    work.count("file", 1);
    if (order.old.get(path) === address && (await work.previous?.find(path)) != null) {
      yield { type: "keep", path };
      continue;
    }
    const title = nameOf(file);
    try {
      const { write } = await openFile(work, file, order.refresh);
      yield {
        ...{ type: "stream", path, kind: "file", title, parent: order.parent },
        write: (sink, report) =>
          write(sink, (done) => report?.({ phase: `Receiving ${title}`, done, total: null, unit: "bytes" })),
      };
    } catch (error) {
      if (!mayGoWithout(work.run, error)) throw error;
      lost.add(path);
      yield { type: "skipped", path, kind: "file", reason: error.message };
    }
  }
  return lost;
}

async function openFile(work: Work, file: FoundFile, refresh: FilesOrder["refresh"]) {
  const { session } = work.run;
  const about = `the file ${nameOf(file)}`;
  const open = (url: string) => openDownload(session, fileDownload(session.config, { url, about }));
  const again = async () => (await refresh()).find(({ path }) => path === file.path)?.url ?? file.url;
  // An address that is about to expire may do so before the bytes begin.
  if (file.expiresAt !== null && file.expiresAt < session.clock.now() + MINUTE_MS) return open(await again());
  try {
    return await open(file.url);
  } catch (error) {
    // The storage refuses an expired address with 400 or 403.
    if (!isOutOfReach(error) || error.status === null) throw error;
    return open(await again());
  }
}

/** The name of a file for people: its own, or the last part of its address. */
function nameOf({ name, address }: FoundFile): string {
  if (name !== null) return name;
  const last = address.slice(address.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last) || "file";
  } catch {
    return last || "file";
  }
}
