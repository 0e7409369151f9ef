import { z } from "zod";
import type { StorageAddress, StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import { callRoute } from "./client.ts";
import type { RouteError } from "./refusal.ts";

/** What Dropbox says of a file; a folder has no revision. */
export const fileSchema = z.object({ rev: z.string().min(1), size: z.number().int().min(0) });

const metadataSchema = z.union([
  z.object({ ".tag": z.literal("file"), ...fileSchema.shape }),
  z.object({ ".tag": z.enum(["folder", "deleted"]) }),
]);

/**
 * Where a file lies. The app's folder is the root of everything that we reach. Dropbox keeps no mark of ours beside a
 * file, so the path stands for the key: the engine gives no path to two keys.
 */
export const pathOf = ({ path }: StorageAddress): string => `/${path}`;

/** The file at the path, if there is one. @throws ConnectorError */
export async function findFile(session: StorageSession, address: StorageAddress): Promise<StoredFile | null> {
  const arg = { path: pathOf(address) };
  const outcome = await callRoute(session, "files/get_metadata", arg, metadataSchema, isAbsent);
  if (outcome.kind === "error" || outcome.value[".tag"] !== "file") return null;
  return storedFile(address, outcome.value);
}

/**
 * Deletes the file while it has the revision that was written; Dropbox itself compares.
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

/** A file as the contract wants it. */
export function storedFile(
  { path, key }: StorageAddress,
  { rev, size }: z.output<typeof fileSchema>,
): StoredFile {
  return { path, key, sizeBytes: size, mark: rev };
}

const isAbsent = ({ tags }: RouteError) => tags.includes("not_found");
