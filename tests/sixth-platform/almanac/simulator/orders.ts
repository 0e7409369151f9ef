import { z } from "zod";
import { blockSchema, cellSchema, columnSchema, layoutSchema } from "../payloads.ts";

/** Bodies of the API's requests, with Almanac's limits. A request that has an id makes what it asks for once. */
const requestId = z.string().min(1).max(300);
const title = z.string().max(600);
const place = { parentId: z.string().nullable(), slot: z.string().nullable() };
const text = z.string().max(20_000);
const blocks = z
  .array(blockSchema)
  .max(1_000)
  .refine((all) => all.every((block) => block.type !== "page" && block.type !== "register"), {
    message: "Pages and registers are made by themselves.",
  })
  .refine((all) => all.every((block) => block.type !== "text" || block.text.length <= 20_000));
const fileIds = z.array(z.string()).max(200);

export const bookOrder = z.strictObject({
  requestId,
  name: z.string().min(1).max(100),
  description: text,
  sharing: z.enum(["private", "site"]),
});
export const pageOrder = z.strictObject({
  ...{ requestId, ...place, title, isArchived: z.boolean(), blocks, fileIds },
  icon: z.string().nullable(),
  properties: z.array(z.strictObject({ name: z.string(), value: z.string() })),
});
export const registerOrder = z.strictObject({
  ...{ requestId, ...place, title, text, isArchived: z.boolean() },
  icon: z.string().nullable(),
  columns: z.array(columnSchema).max(100),
  layouts: z.array(layoutSchema).max(50),
});
export const rowsOrder = z.strictObject({
  requestId,
  registerId: z.string(),
  rows: z
    .array(
      z.strictObject({
        ...{ title, isArchived: z.boolean(), blocks, fileIds },
        cells: z.record(z.string(), cellSchema),
      }),
    )
    .min(1)
    .max(20),
});
export const commentsOrder = z.strictObject({
  requestId,
  on: z.strictObject({
    pageId: z.string().nullable(),
    rowId: z.string().nullable(),
    registerId: z.string().nullable(),
  }),
  comments: z
    .array(z.strictObject({ text: z.string().min(1).max(10_000) }))
    .min(1)
    .max(50),
});
export const fileQuery = z.strictObject({ requestId, name: z.string().min(1).max(600) });
