import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";

const targetsSchema = z.object({
  items: z.array(
    z.object({ externalId: z.string(), name: z.string(), fullName: z.string(), isSource: z.boolean() }),
  ),
  hasMore: z.boolean(),
  places: z.array(
    z.object({
      id: z.string(),
      connectionId: z.string(),
      externalId: z.string(),
      nodeId: z.nullable(z.string()),
      name: z.string(),
      type: z.enum(["User", "Organization"]),
    }),
  ),
});

/** Possible targets for a part of a version. */
export type RestoreTargets = z.output<typeof targetsSchema>;

/**
 * Fetches the possible targets for a part of the item's version. The screen shows failures itself. @throws {ApiError}
 */
export async function fetchTargets(order: {
  itemId: string;
  name: string | null;
  signal: AbortSignal;
}): Promise<RestoreTargets> {
  const { itemId, name, signal } = order;
  const { result } = await callApi("versions/restore-targets", {
    query: { itemId, name },
    schema: targetsSchema,
    isQuiet: true,
    signal,
  });
  return result;
}

/** Starts the restore of a part. The dialog shows failures itself. @throws {ApiError} */
export async function startPartRestore(order: {
  itemId: string;
  snapshotId: string;
  path: string;
  /** The platform's id of the target item; null = a new one. */
  into: string | null;
  name: string | null;
  place: string | null;
}): Promise<void> {
  const body = Object.fromEntries(Object.entries(order).filter(([, value]) => value !== null));
  await callApi("versions/restore-part", { method: "POST", body, isQuiet: true });
}
