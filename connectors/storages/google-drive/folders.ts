import { z } from "zod";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { createFolder, FOLDER_TYPE, quoted, searchFiles } from "./client.ts";

/** Display name of the Holdfast folder. */
const HOME = "Holdfast";
/** The property that identifies our folder, even after its owner renames or moves it. */
const ROLE = "holdfastRole";

const folderSchema = z.object({ id: z.string().min(1), name: z.string() });

/**
 * Returns the id of the folder for a file and creates missing folders. Drive has ids, not paths, and allows several
 * folders with the same name: we search first and use the oldest.
 * @throws ConnectorError
 */
export async function folderFor(session: StorageSession, path: string): Promise<string> {
  const isHome = `appProperties has { key='${ROLE}' and value='home' }`;
  const [home] = await searchFiles(session, [isHome], "id,name", folderSchema);
  let id = home?.id ?? (await createFolder(session, { name: HOME, appProperties: { [ROLE]: "home" } }));
  for (const name of path.split("/").slice(0, -1)) {
    const terms = [`${quoted(id)} in parents`, `name = ${quoted(name)}`, `mimeType = '${FOLDER_TYPE}'`];
    const found = await searchFiles(session, terms, "id,name", folderSchema);
    // Searches are case-insensitive; folder names are not.
    const known = found.find((folder) => folder.name === name);
    id = known?.id ?? (await createFolder(session, { name, parents: [id] }));
  }
  return id;
}
