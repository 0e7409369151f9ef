import type { StorageAddress, StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import { type DriveFile, deleteFile, FILE_FIELDS, fileSchema, quoted, searchFiles } from "./client.ts";

/** The property of a file that holds its key. Only our application sees it. */
export const KEY_PROPERTY = "holdfastKey";

/**
 * The file that was written under the key and is not in the trash, wherever its owner has moved it. Two that wrote the same
 * file at the same time may have made two: everybody takes the first.
 */
export async function findByKey(session: StorageSession, key: string): Promise<DriveFile | null> {
  const hasKey = `appProperties has { key='${KEY_PROPERTY}' and value=${quoted(key)} }`;
  const files = await searchFiles(session, [hasKey], FILE_FIELDS, fileSchema);
  return firstMade(files);
}

/** The oldest of some files; of one moment, the one whose id comes first. */
export function firstMade(files: readonly DriveFile[]): DriveFile | null {
  const age = ({ createdTime, id }: DriveFile) => `${createdTime} ${id}`;
  return [...files].sort((one, other) => (age(one) < age(other) ? -1 : 1))[0] ?? null;
}

/** The file as the contract wants it. @throws ConnectorError */
export async function findFile(session: StorageSession, address: StorageAddress): Promise<StoredFile | null> {
  const file = await findByKey(session, address.key);
  return file === null ? null : storedFile(address, file);
}

/**
 * Deletes the file while it has the bytes that were written. It does not go to the trash, where it would go on taking
 * room.
 * @throws ConnectorError
 */
export async function removeFile(
  session: StorageSession,
  address: StorageAddress & { mark: string },
): Promise<"removed" | "absent" | "changed"> {
  const file = await findByKey(session, address.key);
  if (file === null) return "absent";
  if (markOf(file) !== address.mark) return "changed";
  return (await deleteFile(session, file.id)) ? "removed" : "absent";
}

/** A file as the contract wants it. */
export function storedFile({ path, key }: StorageAddress, file: DriveFile): StoredFile {
  return { path, key, sizeBytes: file.size, mark: markOf(file) };
}

/** The id names the file, its revision the bytes. */
function markOf({ id, headRevisionId }: DriveFile): string {
  return `${id}:${headRevisionId}`;
}
