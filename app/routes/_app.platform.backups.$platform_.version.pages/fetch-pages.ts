import { callApi } from "#app/api/call-api.ts";
import type { VersionRef } from "#app/version/address.ts";
import type { PageNode } from "#connectors/contract/pages-view.ts";

/** Fetches a page of a page's children. The caller shows failures. @throws {ApiError} */
export async function fetchPages(
  { itemId, snapshotId }: VersionRef,
  { view, parent, after }: { view: string; parent: string | null; after: string | null },
): Promise<{ rows: PageNode[]; next: string | null }> {
  const order = { itemId, snapshotId, view, parent, after };
  return (await callApi("GET versions/pages", order, { isQuiet: true })).result;
}
