import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readInside } from "#app/version/read-inside.server.ts";
import { listViews } from "#core/browsing/index.ts";

/** Reads the first view of a version; null when it has none. */
export function queryFirstView(args: LoaderFunctionArgs) {
  return readInside(args, async (open) => (await listViews(open)).views[0] ?? null);
}
