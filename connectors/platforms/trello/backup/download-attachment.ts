import type { Session } from "#connectors/contract/platform-connector.ts";
import type { Download } from "#connectors/toolkit/download.ts";
import { paths, trelloApi } from "../client.ts";

/** The fields of a file that a download needs. */
type UploadedFile = { id: string; name: string; url: string; bytes: number | null; fileName: string | null };

/**
 * Downloads an uploaded file. The API accepts only the Authorization header and redirects to a storage host, which must
 * not receive that header.
 */
export function attachmentDownload(session: Session, cardId: string, file: UploadedFile): Download {
  const api = trelloApi(session.config);
  const { name, bytes } = file;
  return {
    platform: "Trello",
    url: `${api.baseUrl}${paths.download(cardId, file.id, fileNameOf(file))}`,
    headers: api.headers,
    authorization: api.authorization,
    readProblem: api.readProblem,
    about: `the file ${name}`,
    sizeBytes: bytes,
  };
}

/** The name of a stored file at Trello; its name on the card may differ. */
function fileNameOf({ fileName, url, name }: UploadedFile): string {
  if (fileName) return fileName;
  const last = /\/download\/([^/?#]+)/.exec(url)?.[1];
  if (last === undefined) return name;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
