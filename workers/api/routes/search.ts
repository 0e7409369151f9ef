import { z } from "zod";
import { searchItems } from "#core/inventory/index.ts";
import { searchNames } from "#core/names/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { optional, wireText } from "../wire-fields.ts";

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

const foundName = z.object({
  one: z.string(),
  title: z.string(),
  folder: z.string().nullable(),
  path: z.string(),
});

const foundInItem = z.object({
  id: z.string(),
  platform: z.string(),
  name: z.string(),
  fullName: z.string(),
  snapshotId: z.string(),
  names: z.array(foundName),
  hasMore: z.boolean(),
});

/** The calls that find items, and what is inside their newest versions, by name, whatever their platform. */
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
  mountRoute(api, {
    method: "GET",
    path: "/user/search-names",
    summary:
      "Names inside the newest checked versions that the member may read: cards, issues, pages, files. A hundred items at most; `next` is the `after` of the next call",
    tag: "Search",
    input: z.strictObject({ text: wireText(100), after: optional(wireText(100)) }),
    result: z.object({
      items: z.array(foundInItem),
      searched: z.int(),
      next: z.string().nullable(),
      cut: z.array(z.object({ name: z.string(), count: z.int() })),
      unindexed: z.int().nullable(),
    }),
    handle: async (s, m, input) => ({ result: await searchNames(s, m, input) }),
  });
}
