import { z } from "zod";

/** How far the content of a page is restored. */
export const fillSchema = z.object({
  /** Requests for blocks that were carried out. */
  requests: z.number(),
  /** The id of the last block at the top of the page, behind which the next one stands; null = at the end. */
  last: z.string().nullable(),
  /** Blocks at the top of the page that were made. */
  top: z.number(),
  /** The block that holds the place of those before the first page below. */
  holder: z.string().nullable(),
  /** New ids of blocks that are needed later, by their names. */
  ids: z.record(z.string(), z.string()),
  hasValues: z.boolean(),
  comments: z.number(),
  /** Comments that Notion took. */
  commented: z.number(),
  /** New ids of discussions. */
  discussions: z.record(z.string(), z.string()),
  files: z.number(),
  /** Files in synced copies whose original does not come back. */
  copiedFiles: z.number(),
  /** Blocks at the top of the page that were found there at the end; null = not looked yet. */
  found: z.number().nullable(),
  /** Synced copies that follow when every original is there. */
  copies: z.array(z.object({ ref: z.string(), originalId: z.string() })),
  isDone: z.boolean(),
});
export type FillState = z.output<typeof fillSchema>;

export const emptyFill: FillState = {
  ...{ requests: 0, last: null, top: 0, holder: null, ids: {}, hasValues: false, comments: 0, commented: 0 },
  ...{ discussions: {}, files: 0, copiedFiles: 0, found: null, copies: [], isDone: false },
};

/** The journal key of a page's content. */
export const fillKey = (pageId: string) => `fill:${pageId}`;
