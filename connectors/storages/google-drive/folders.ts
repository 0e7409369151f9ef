import { z } from "zod";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { createFolder, FOLDER_TYPE, quoted, searchFiles } from "./client.ts";

/** The name of our folder, for people. */
const HOME = "Holdfast";
/** The property by which we know our own things again, whatever people call them and wherever they move them. */
const ROLE = "holdfastRole";

const folderSchema = z.object({ id: z.string().min(1), name: z.string() });

/**
 * The id of the folder that a file belongs in; what is missing of the way there is made. Drive knows ids and no paths,
 * and two folders of one name may lie side by side: we look first, and take the oldest.
 * @throws ConnectorError
 */
export async function folderFor(session: StorageSession, path: string): Promise<string> {
  const isHome = `appProperties has { key='${ROLE}' and value='home' }`;
  const [home] = await searchFiles(session, [isHome], "id,name", folderSchema);
  let id = home?.id ?? (await createFolder(session, { name: HOME, appProperties: { [ROLE]: "home" } }));
  for (const name of path.split("/").slice(0, -1)) {
    const terms = [`${quoted(id)} in parents`, `name = ${quoted(name)}`, `mimeType = '${FOLDER_TYPE}'`];
    const found = await searchFiles(session, terms, "id,name", folderSchema);
    // A search does not tell capitals apart; a folder's name does.
    const known = found.find((folder) => folder.name === name);
    id = known?.id ?? (await createFolder(session, { name, parents: [id] }));
  }
  return id;
}
