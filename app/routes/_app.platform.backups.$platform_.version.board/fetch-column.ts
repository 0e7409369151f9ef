import * as z from "zod/mini";
import { callApi } from "#app/api/call-api.ts";
import type { BoardShown, VersionRef } from "#app/version/address.ts";
import type { BoardCard } from "#connectors/contract/board-view.ts";

const hue = z.nullable(
  z.enum(["green", "yellow", "orange", "red", "purple", "blue", "sky", "lime", "pink", "gray"]),
);
const shade = z.enum(["light", "normal", "dark"]);
const cardSchema: z.ZodMiniType<BoardCard> = z.object({
  id: z.string(),
  path: z.string(),
  columnId: z.string(),
  title: z.string(),
  isArchived: z.boolean(),
  rank: z.union([z.number(), z.string()]),
  key: z.nullable(z.string()),
  role: z.nullable(z.string()),
  tags: z.array(z.object({ name: z.string(), hue, shade })),
  cover: z.nullable(z.object({ hue, shade, picture: z.nullable(z.string()) })),
  startAt: z.nullable(z.number()),
  dueAt: z.nullable(z.number()),
  isDone: z.boolean(),
  people: z.array(z.string()),
  checks: z.nullable(z.object({ done: z.number(), total: z.number() })),
  commentCount: z.number(),
  fileCount: z.number(),
  hasText: z.boolean(),
  badges: z.array(z.string()),
});
const pageSchema = z.object({ cards: z.array(cardSchema), next: z.nullable(z.string()) });

/** Fetches the next cards of a column. The caller shows failures. @throws {ApiError} */
export async function fetchColumn(
  { itemId, snapshotId }: VersionRef,
  order: BoardShown & { column: string; after: string | null },
): Promise<{ cards: BoardCard[]; next: string | null }> {
  const { view, column, after, search, hasArchived } = order;
  const archived = hasArchived ? "1" : null;
  const { result } = await callApi("versions/board-column", {
    query: { itemId, snapshotId, view, column, after, search, archived },
    schema: pageSchema,
    isQuiet: true,
  });
  return result;
}
