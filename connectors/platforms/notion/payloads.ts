import { z } from "zod";
import { optionalText as text } from "#connectors/toolkit/payload-parts.ts";

/**
 * Schemas of Notion's answers, version 2025-09-03 (types of `@notionhq/client` 5.26.0, recorded answers). Unknown fields
 * are kept, because records store everything that Notion sends.
 */

/** A UUID. It becomes part of a path, so its form is checked; Notion also accepts it without dashes. */
export const idSchema = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/)
  .transform((id) => withDashes(id.toLowerCase()));

/** An id in the form in which Notion sends it. */
export function withDashes(id: string): string {
  const hex = id.replaceAll("-", "");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? null);

/** A page of a list. */
const listOf = <S extends z.ZodType>(member: S) =>
  z.looseObject({ results: z.array(member), has_more: flag, next_cursor: text });

/** `incomplete`: a query stopped at the platform's limit, 10,000 rows, although it has more. */
const requestStatusSchema = z
  .looseObject({ type: z.string(), incomplete_reason: text })
  .nullish()
  .transform((value) => value ?? null);

/** Where a thing stands. `type` names the member with the id; `workspace` and future types have none. */
export const parentSchema = z.looseObject({
  type: z.string(),
  page_id: idSchema.optional(),
  database_id: idSchema.optional(),
  data_source_id: idSchema.optional(),
  block_id: idSchema.optional(),
});

export const richTextSchema = z.array(z.looseObject({ type: z.string(), plain_text: z.string().catch("") }));

/** A file kept by Notion or elsewhere. The address of Notion's own expires after an hour. */
export const fileSchema = z.looseObject({
  type: z.string(),
  file: z.looseObject({ url: z.string(), expiry_time: text }).optional(),
  external: z.looseObject({ url: z.string() }).optional(),
});

const iconSchema = z
  .looseObject({ type: z.string() })
  .nullish()
  .transform((value) => value ?? null);

const propertyValueSchema = z.looseObject({ id: z.string(), type: z.string() });

/** A page, a row or a template. */
export const pageSchema = z.looseObject({
  object: z.literal("page"),
  id: idSchema,
  created_time: z.string(),
  last_edited_time: z.string(),
  parent: parentSchema,
  in_trash: flag,
  archived: flag,
  properties: z.record(z.string(), propertyValueSchema),
  icon: iconSchema,
  cover: iconSchema,
  url: text,
});

export const blockSchema = z.looseObject({
  object: z.literal("block"),
  id: idSchema,
  type: z.string(),
  parent: parentSchema,
  has_children: flag,
  in_trash: flag,
  archived: flag,
});
export const blocksSchema = listOf(blockSchema);

export const databaseSchema = z.looseObject({
  object: z.literal("database"),
  id: idSchema,
  title: richTextSchema,
  parent: parentSchema,
  in_trash: flag,
  archived: flag,
  data_sources: z.array(z.looseObject({ id: idSchema, name: z.string().catch("") })),
});

export const dataSourceSchema = z.looseObject({
  object: z.literal("data_source"),
  id: idSchema,
  title: richTextSchema,
  created_time: z.string(),
  last_edited_time: z.string(),
  parent: parentSchema,
  database_parent: parentSchema.optional(),
  in_trash: flag,
  archived: flag,
  properties: z.record(z.string(), z.looseObject({ id: z.string(), name: z.string(), type: z.string() })),
});

/** A page or data source of which the account sees no more than that it exists. */
const partialSchema = z.looseObject({ object: z.enum(["page", "data_source"]), id: idSchema });

/** A result of a search or a query: in a wiki, a row can also be a data source. */
const resultSchema = z.union([pageSchema, dataSourceSchema, partialSchema.transform(asPartial)]);

function asPartial({ object, id }: { object: "page" | "data_source"; id: string }) {
  return { object: "partial" as const, of: object, id };
}

export const resultsSchema = listOf(resultSchema).extend({ request_status: requestStatusSchema });

export const viewSchema = z.looseObject({
  object: z.literal("view"),
  id: idSchema,
  name: z.string().catch(""),
});
export const viewReferencesSchema = listOf(z.looseObject({ id: idSchema }));

export const commentSchema = z.looseObject({
  object: z.literal("comment"),
  id: idSchema,
  parent: parentSchema,
  discussion_id: idSchema,
  created_time: z.string(),
  rich_text: richTextSchema,
  display_name: z.looseObject({ type: z.string().catch("user"), resolved_name: text }).nullish(),
  attachments: z
    .array(z.looseObject({ category: z.string(), file: z.looseObject({ url: z.string() }) }))
    .optional(),
});
export const commentsSchema = listOf(commentSchema);

export const userSchema = z.looseObject({
  object: z.literal("user"),
  id: idSchema,
  type: text,
  name: text,
  avatar_url: text,
  person: z.looseObject({ email: text }).optional(),
  bot: z
    .looseObject({
      owner: z.looseObject({ type: z.string() }).optional(),
      workspace_id: idSchema.optional(),
      workspace_name: text,
      workspace_limits: z.looseObject({ max_file_upload_size_in_bytes: count }).optional(),
    })
    .optional(),
});
export const usersSchema = listOf(userSchema);

export const emojiSchema = z.looseObject({ id: idSchema, name: z.string(), url: z.string() });
export const emojisSchema = listOf(emojiSchema);

/** Templates of a data source are pages. */
export const templatesSchema = z.looseObject({
  templates: z.array(z.looseObject({ id: idSchema, name: z.string(), is_default: flag })),
  has_more: flag,
  next_cursor: text,
});

/** A page of the items of a property's value. */
export const propertyItemsSchema = listOf(z.looseObject({ type: z.string() }));

/** A page as Markdown. `unknown_block_ids`: subtrees that it leaves out. */
export const markdownSchema = z.looseObject({
  markdown: z.string(),
  truncated: flag,
  unknown_block_ids: z.array(z.string()).catch([]),
});

/** The answer to an exchange of a code or a refresh token. */
export const tokenSchema = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: text,
  bot_id: idSchema,
  workspace_id: idSchema,
  workspace_name: text,
  workspace_icon: text,
  owner: z.looseObject({
    type: z.string(),
    user: z
      .looseObject({ id: idSchema, name: text, person: z.looseObject({ email: text }).optional() })
      .optional(),
  }),
});

export const errorSchema = z.looseObject({ code: z.string(), message: z.string().catch("") });

/** The answer to a creation. */
export const createdSchema = z.looseObject({ id: idSchema, object: z.string() });

export type NotionParent = z.output<typeof parentSchema>;
export type NotionFile = z.output<typeof fileSchema>;
export type NotionPage = z.output<typeof pageSchema>;
export type NotionBlock = z.output<typeof blockSchema>;
export type NotionDatabase = z.output<typeof databaseSchema>;
export type NotionDataSource = z.output<typeof dataSourceSchema>;
export type NotionResult = z.output<typeof resultSchema>;
export type NotionView = z.output<typeof viewSchema>;
export type NotionComment = z.output<typeof commentSchema>;
export type NotionUser = z.output<typeof userSchema>;
export type NotionEmoji = z.output<typeof emojiSchema>;
