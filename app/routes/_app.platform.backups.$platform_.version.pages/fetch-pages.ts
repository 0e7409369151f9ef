import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import type { VersionRef } from "#app/version/address.ts";
import type { PageNode } from "#connectors/contract/pages-view.ts";

const nodeSchema: z.ZodMiniType<PageNode> = z.object({
  id: z.string(),
  path: z.string(),
  type: z.enum(["page", "table"]),
  title: z.string(),
  icon: z.nullable(z.string()),
  isArchived: z.boolean(),
  childCount: z.nullable(z.number()),
});
const pageSchema = z.object({ rows: z.array(nodeSchema), next: z.nullable(z.string()) });

/** Fetches a page of a page's children. The caller shows failures. @throws {ApiError} */
export async function fetchPages(
  { itemId, snapshotId }: VersionRef,
  { view, parent, after }: { view: string; parent: string | null; after: string | null },
): Promise<{ rows: PageNode[]; next: string | null }> {
  const { result } = await callApi("versions/pages", {
    query: { itemId, snapshotId, view, parent, after },
    schema: pageSchema,
    isQuiet: true,
  });
  return result;
}
