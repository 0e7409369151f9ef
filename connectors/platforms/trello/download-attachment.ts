import type { Session } from "#connectors/contract/platform-connector.ts";
import type { Download } from "#connectors/toolkit/download.ts";
import { paths, trelloApi } from "./client.ts";

/** What is needed of a file to fetch it. */
type UploadedFile = { id: string; name: string; url: string; bytes: number | null; fileName: string | null };

/**
 * The bytes of an uploaded file. The API takes the Authorization header alone and redirects to where files are kept,
 * which must not see it.
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

/** The name under which a file lies at Trello; its name on the card may be another one. */
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
