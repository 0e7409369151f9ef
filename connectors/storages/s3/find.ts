import type { StorageAddress, StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import { callS3, objectKey, type S3Answer } from "./client.ts";

/** The metadata header that holds the key of an object. */
export const KEY_HEADER = "x-amz-meta-holdfast-key";

/** Finds the object that was written under the key, or null. @throws ConnectorError */
export async function findObject(
  session: StorageSession,
  address: StorageAddress,
): Promise<StoredFile | null> {
  const answer = await headObject(session, address.path);
  if (answer === null || answer.headers.get(KEY_HEADER) !== address.key) return null;
  return {
    path: address.path,
    key: address.key,
    sizeBytes: Number(answer.headers.get("content-length")),
    mark: answer.headers.get("etag") ?? "",
  };
}

/** Deletes the object if it still has the bytes that were written. @throws ConnectorError */
export async function removeObject(
  session: StorageSession,
  file: StorageAddress & { mark: string },
): Promise<"removed" | "absent" | "changed"> {
  const answer = await headObject(session, file.path);
  if (answer === null) return "absent";
  if (answer.headers.get("etag") !== file.mark) return "changed";
  await callS3(session, { method: "DELETE", key: objectKey(file.path), allows: [404] });
  return "removed";
}

/**
 * Reads an object's headers, or null. A HEAD response has no body to tell a missing object from a missing bucket, so
 * after a 404 it checks the bucket.
 */
async function headObject(session: StorageSession, path: string): Promise<S3Answer | null> {
  const answer = await callS3(session, { method: "HEAD", key: objectKey(path), allows: [404] });
  if (answer.status !== 404) return answer;
  await callS3(session, { method: "HEAD", key: null });
  return null;
}
