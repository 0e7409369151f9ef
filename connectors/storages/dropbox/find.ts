import { z } from "zod";
import type { StorageAddress, StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import { callRoute } from "./client.ts";
import type { RouteError } from "./refusal.ts";

/** Metadata of a file; a folder has no revision. */
export const fileSchema = z.object({ rev: z.string().min(1), size: z.number().int().min(0) });

const metadataSchema = z.union([
  z.object({ ".tag": z.literal("file"), ...fileSchema.shape }),
  z.object({ ".tag": z.enum(["folder", "deleted"]) }),
]);

/**
 * Dropbox's path of a file. The app folder is the root of everything we can reach. Dropbox stores no custom metadata
 * with a file, so the path identifies it instead of the key: the engine never assigns one path to two keys.
 */
export const pathOf = ({ path }: StorageAddress): string => `/${path}`;

/** Finds the file at the path, or null. @throws ConnectorError */
export async function findFile(session: StorageSession, address: StorageAddress): Promise<StoredFile | null> {
  const arg = { path: pathOf(address) };
  const outcome = await callRoute(session, "files/get_metadata", arg, metadataSchema, isAbsent);
  if (outcome.kind === "error" || outcome.value[".tag"] !== "file") return null;
  return storedFile(address, outcome.value);
}

/**
 * Deletes the file if it still has the revision that was written; Dropbox compares the revisions.
 * @throws ConnectorError
 */
export async function removeFile(
  session: StorageSession,
  file: StorageAddress & { mark: string },
): Promise<"removed" | "absent" | "changed"> {
  const arg = { path: pathOf(file), parent_rev: file.mark };
  const isKnown = (error: RouteError) => isAbsent(error) || error.tags.includes("conflict");
  const outcome = await callRoute(session, "files/delete_v2", arg, z.unknown(), isKnown);
  if (outcome.kind === "result") return "removed";
  return isAbsent(outcome.error) ? "absent" : "changed";
}

/** A file in the contract's form. */
export function storedFile(
  { path, key }: StorageAddress,
  { rev, size }: z.output<typeof fileSchema>,
): StoredFile {
  return { path, key, sizeBytes: size, mark: rev };
}

const isAbsent = ({ tags }: RouteError) => tags.includes("not_found");
