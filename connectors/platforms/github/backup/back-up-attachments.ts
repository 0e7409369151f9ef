import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { type OpenDownload, openDownload } from "#connectors/toolkit/download.ts";
import { mayGoWithout, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { repositoryRecordSchema } from "../read/repository-record.ts";
import { recordPaths } from "../record-paths.ts";
import { type AttachmentLink, attachmentLinks, isFileHost } from "./attachment-links.ts";
import { signAttachments } from "./sign-attachments.ts";

/** A text, and the path of its own record or of its thread's. */
export type AttachedText = { text: string | null | undefined; parent: string };

type Found = AttachmentLink & { parent: string; path: string };

/** GitHub accepts attached videos of up to 100 MB; no other type may be larger. */
const MOST_BYTES = 128 * 1024 * 1024;
/** Path of the last file of a page that is backed up. Files of a page are processed in path order. */
const positionSchema = z.string();
const SIGNED_AT_ONCE = 20;
/** Signed URLs expire after five minutes. */
const SIGNED_FOR_MS = 4 * MINUTE_MS;
const PRIVATE_FILE =
  "GitHub gives files of private repositories, other than pictures and videos, to signed-in browsers only. The link stays in the text.";

/**
 * Backs up the files attached to some texts, beside the records of their thread. The bytes of an attached file never
 * change, so files that the previous snapshot has are kept. A file that both an issue and its comments link to is
 * fetched once per slice. A file that GitHub does not return is reported as skipped, and requested again when its text
 * is read again.
 *
 * @param page Cursor at which the stage reads the page of these texts again. With it, a slice can end after any file,
 *   and the next slice reads the page again and continues with the next file. At most one call per page may pass it.
 */
export async function* backUpAttachments(
  run: StagesRun,
  texts: readonly AttachedText[],
  page?: { cursor: Json },
): AsyncGenerator<BackupEvent, void> {
  const before = page === undefined ? "" : (readCursor(positionSchema, run.notes.attachments) ?? "");
  const wanted = new Map<string, Found>();
  for (const { text, parent } of texts) {
    for (const link of attachmentLinks(run.session.config, text)) {
      const path = recordPaths.attachment(parent, link.key);
      if (wanted.has(path) || run.told.has(path) || path <= before) continue;
      if (await run.order.previous?.find(path)) {
        run.told.add(path);
        yield { type: "keep", path };
      } else wanted.set(path, { ...link, parent, path });
    }
  }
  const all = [...wanted.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const addresses = isPublic(run) ? null : openSigner(run, all);
  for (const found of all) {
    yield* backUpOne(run, found, await addresses?.(found));
    run.told.add(found.path);
    if (page === undefined) continue;
    run.notes.attachments = found.path;
    yield { type: "checkpoint", cursor: page.cursor };
  }
  if (page !== undefined) delete run.notes.attachments;
}

/** Returns the signed URL of a file. URLs are requested in batches, shortly before they are used. */
function openSigner(run: StagesRun, all: readonly Found[]) {
  let signed = new Map<string, string>();
  let asked = new Set<Found>();
  let signedAt = 0;
  return async (found: Found): Promise<string | undefined> => {
    if (!found.isSigned) return undefined;
    const now = run.session.clock.now();
    if (!asked.has(found) || now - signedAt > SIGNED_FOR_MS) {
      const from = all.indexOf(found);
      const batch = all
        .slice(from)
        .filter(({ isSigned }) => isSigned)
        .slice(0, SIGNED_AT_ONCE);
      signed = await signAttachments(run, batch);
      asked = new Set(batch);
      signedAt = now;
    }
    return signed.get(found.key);
  };
}

async function* backUpOne(
  run: StagesRun,
  { url, key, name, parent, path, isSigned }: Found,
  signed: string | undefined,
): AsyncGenerator<BackupEvent, void> {
  const kind = "attachment";
  const about = `the attached file ${name ?? key}`;
  let file: OpenDownload;
  try {
    file = await openDownload(run.session, {
      ...{ platform: "GitHub", url: signed ?? url, headers: { accept: "*/*" }, about, sizeBytes: null },
      stranger: { mayLead: (to) => isFileHost(run.session.config, to), mostBytes: MOST_BYTES },
    });
  } catch (error) {
    if (!isRefused(run, error)) throw error;
    const reason = isSigned || isPublic(run) ? error.message : PRIVATE_FILE;
    yield { type: "skipped", path, kind, reason };
    return;
  }
  yield {
    ...{ type: "stream", path, kind, parent, title: name ?? `${key}${endingOf(file)}` },
    write: (sink, report) =>
      file.write(sink, (done) =>
        report?.({ phase: "Receiving attached files", done, total: null, unit: "bytes" }),
      ),
  };
}

/** A file that its storage cannot return must not block every later snapshot. */
function isRefused(run: StagesRun, error: unknown): error is ConnectorError {
  return mayGoWithout(run, error) || (error instanceof ConnectorError && (error.status ?? 0) >= 500);
}

const ENDINGS: Readonly<Record<string, string>> = {
  ...{ "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp" },
  ...{ "image/svg+xml": ".svg", "video/mp4": ".mp4", "video/quicktime": ".mov", "video/webm": ".webm" },
};

/** GitHub's URLs of pictures and videos do not contain a file name. */
function endingOf({ mediaType }: OpenDownload): string {
  return ENDINGS[mediaType ?? ""] ?? "";
}

/** Whether files can be fetched without signing in. Anyone with the link can see a gist, even a secret one. */
function isPublic({ order }: StagesRun): boolean {
  if (order.item.kind === "gist") return true;
  const record = repositoryRecordSchema.safeParse(order.item.details);
  return record.success && record.data.visibility === "public";
}
