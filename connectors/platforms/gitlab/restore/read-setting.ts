import type { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";

/** One group of settings of a version; empty when the version has none. */
export async function readSetting<T>(
  snapshot: SnapshotView,
  path: string,
  schema: z.ZodType<T[]>,
): Promise<T[]> {
  if ((await snapshot.find(path)) === null) return [];
  return schema.parse(await snapshot.readRecord(path));
}
