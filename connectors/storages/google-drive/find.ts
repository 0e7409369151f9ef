import type { StorageAddress, StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import { type DriveFile, deleteFile, FILE_FIELDS, fileSchema, quoted, searchFiles } from "./client.ts";

/** The file property that holds the key. Only our application can see it. */
export const KEY_PROPERTY = "holdfastKey";

/**
 * Finds the file that was written under the key, even if its owner has moved it; files in the trash do not count. Two
 * concurrent writers may have created two such files: all callers use the oldest.
 */
export async function findByKey(session: StorageSession, key: string): Promise<DriveFile | null> {
  const hasKey = `appProperties has { key='${KEY_PROPERTY}' and value=${quoted(key)} }`;
  const files = await searchFiles(session, [hasKey], FILE_FIELDS, fileSchema);
  return firstMade(files);
}

/** The oldest file; ties are broken by id. */
export function firstMade(files: readonly DriveFile[]): DriveFile | null {
  const age = ({ createdTime, id }: DriveFile) => `${createdTime} ${id}`;
  return [...files].sort((one, other) => (age(one) < age(other) ? -1 : 1))[0] ?? null;
}

/** Finds the file under the key, or null. @throws ConnectorError */
export async function findFile(session: StorageSession, address: StorageAddress): Promise<StoredFile | null> {
  const file = await findByKey(session, address.key);
  return file === null ? null : storedFile(address, file);
}

/**
 * Deletes the file if it still has the bytes that were written. Bypasses the trash, where the file would keep using
 * space.
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

/** A file in the contract's form. */
export function storedFile({ path, key }: StorageAddress, file: DriveFile): StoredFile {
  return { path, key, sizeBytes: file.size, mark: markOf(file) };
}

/** The id identifies the file, its revision the bytes. */
function markOf({ id, headRevisionId }: DriveFile): string {
  return `${id}:${headRevisionId}`;
}
