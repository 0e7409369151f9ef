import { z } from "zod";
import { searchItems } from "#core/inventory/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { wireText } from "../wire-fields.ts";

const foundItem = z.object({
  id: z.string(),
  platform: z.string(),
  kind: z.string(),
  connectionId: z.string(),
  name: z.string(),
  fullName: z.string(),
  status: z.enum(["initialized", "backuped", "deleted"]),
  lastBackupAt: z.int().nullable(),
  activeRunKind: z.enum(["backup", "restore"]).nullable(),
  backupNowOpensAt: z.int().nullable(),
  isConnected: z.boolean(),
  canRestore: z.boolean(),
  canBackUp: z.boolean(),
});

/** The call that finds items by name, whatever their platform. */
export function mountSearch(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/search-items",
    summary: "Protected items of all platforms whose names contain the words, with what the member may do",
    tag: "Search",
    input: z.strictObject({ text: wireText(100) }),
    result: z.object({ items: z.array(foundItem), hasMore: z.boolean() }),
    handle: async (s, m, input) => ({ result: await searchItems(s, m, input) }),
  });
}
