import { createHash } from "node:crypto";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { headerType, uploadForm } from "#connectors/toolkit/upload-form.ts";
import { attachmentDownload } from "../backup/download-attachment.ts";
import { paths, trelloApi } from "../client.ts";
import { attachmentSchema, type TrelloAttachment } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";

/** Maximum length of a file name at Trello. */
const LONGEST_NAME = 256;

/** Attaches a file to a card. @throws ConnectorError */
export async function uploadAttachment(
  io: RestoreIo,
  cardId: string,
  { attachment, entry }: { attachment: TrelloAttachment; entry: EntryInfo },
): Promise<TrelloAttachment> {
  const { session } = io;
  const { name, fileName, mimeType } = attachment;
  const shown = [...name]
    .slice(0, LONGEST_NAME)
    .join("")
    .replace(/[\r\n]+/g, " ");
  const token = await session.accessToken();
  await session.spend(1);
  const order = {
    to: { path: paths.attachments(cardId) },
    token,
    about: `the file ${name}`,
    fields: [
      ["name", shown],
      ...(mimeType === null ? [] : [["mimeType", headerType(mimeType)] as const]),
      ["setCover", "false"],
    ] as const,
    file: { name: fileName ?? name, mimeType, entry },
  };
  return await uploadForm(io, trelloApi(session.config), order, attachmentSchema);
}

/**
 * Downloads an uploaded file and compares its hash with the version's. Deletes the file if they differ.
 *
 * @throws ConnectorError `unsupported` when the bytes differ
 */
export async function verifyUpload(
  io: RestoreIo,
  cardId: string,
  { uploaded, entry }: { uploaded: TrelloAttachment; entry: EntryInfo },
): Promise<void> {
  const hash = createHash("sha256");
  const download = attachmentDownload(io.session, cardId, uploaded);
  const { write } = await openDownload(io.session, { ...download, sizeBytes: null });
  await write({ write: (chunk) => void hash.update(chunk) });
  if (hash.digest("hex") === entry.hash) return;
  const path = paths.attachment(cardId, uploaded.id);
  await io.client.send({ method: "DELETE", path, about: download.about, missing: "forbidden" });
  throw new ConnectorError(
    "unsupported",
    "Trello holds other bytes than were sent, so the file was taken away again.",
  );
}
