import { z } from "zod";
import { optionalText as text } from "#connectors/toolkit/payload-parts.ts";

/** Schemas of Trello's responses. Unknown fields are kept, because records store everything that Trello sends. */

const words = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const ids = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
/** A list; empty when it is missing. */
const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform((value) => value ?? []);

export const accountSchema = z.object({ id: z.string(), username: z.string(), fullName: text });

export const organizationSchema = z.looseObject({ id: z.string(), name: words, displayName: words });
export const organizationsSchema = z.array(organizationSchema);

export const boardSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  desc: words,
  closed: flag,
  idOrganization: text,
  shortLink: text,
  shortUrl: text,
  url: text,
  subscribed: flag,
  prefs: z
    .looseObject({ permissionLevel: z.string().catch("private") })
    .nullish()
    .transform((value) => value ?? { permissionLevel: "private" }),
  organization: z
    .looseObject({ displayName: words, name: words })
    .nullish()
    .transform((value) => value ?? null),
});
export const boardsSchema = z.array(boardSchema);

export const listSchema = z.looseObject({
  id: z.string(),
  name: words,
  closed: flag,
  pos: z.number(),
  subscribed: flag,
  color: z.string().nullish(),
});
export const listsSchema = z.array(listSchema);

export const labelSchema = z.looseObject({ id: z.string(), name: words, color: text });
export const labelsSchema = z.array(labelSchema);

export const optionSchema = z.looseObject({
  id: z.string().optional(),
  _id: z.string().optional(),
  color: text,
  pos: z.number().optional(),
  value: z.looseObject({ text: words }),
});
export const customFieldSchema = z.looseObject({
  id: z.string(),
  name: words,
  type: z.string(),
  pos: z.number().optional(),
  display: z
    .looseObject({ cardFront: flag })
    .nullish()
    .transform((value) => value ?? { cardFront: false }),
  options: listOf(optionSchema),
});
export const customFieldsSchema = z.array(customFieldSchema);

export const memberSchema = z.looseObject({ id: z.string(), username: words, fullName: text });

export const attachmentSchema = z.looseObject({
  id: z.string(),
  name: words,
  url: words,
  isUpload: flag,
  bytes: z
    .number()
    .nullish()
    .transform((value) => value ?? null),
  mimeType: text,
  fileName: text,
});
export const attachmentsSchema = z.array(attachmentSchema);

export const stickerSchema = z.looseObject({
  id: z.string(),
  image: words,
  left: z.coerce.number().catch(0),
  top: z.coerce.number().catch(0),
  rotate: z.coerce.number().catch(0),
  zIndex: z.coerce.number().catch(1),
});
export const stickersSchema = z.array(stickerSchema);

export const checkItemSchema = z.looseObject({
  id: z.string(),
  name: words,
  pos: z.number().catch(0),
  state: z.string().catch("incomplete"),
  due: text,
  idMember: text,
});
export const checklistSchema = z.looseObject({
  id: z.string(),
  name: words,
  pos: z.number().catch(0),
  idCard: text,
  checkItems: listOf(checkItemSchema),
});
export const checklistsSchema = z.array(checklistSchema);

export const fieldValueSchema = z.looseObject({
  id: z.string().optional(),
  idCustomField: z.string(),
  idValue: text,
  value: z
    .record(z.string(), z.json())
    .nullish()
    .transform((value) => value ?? null),
});

export const coverSchema = z
  .looseObject({
    idAttachment: text,
    color: text,
    idUploadedBackground: text,
    size: text,
    brightness: text,
    sharedSourceUrl: text,
  })
  .nullish()
  .transform((value) => value ?? null);

export const cardSchema = z.looseObject({
  id: z.string(),
  name: words,
  desc: words,
  closed: flag,
  pos: z.number().catch(0),
  idList: z.string(),
  shortLink: text,
  shortUrl: text,
  due: text,
  start: text,
  dueComplete: flag,
  dueReminder: z.number().nullish().catch(null),
  isTemplate: flag,
  cardRole: text,
  subscribed: flag,
  address: text,
  locationName: text,
  coordinates: z.json().optional(),
  idLabels: ids,
  idMembers: ids,
  idMembersVoted: ids,
  dateLastActivity: text,
  cover: coverSchema,
  attachments: listOf(attachmentSchema),
  stickers: listOf(stickerSchema),
  checklists: listOf(checklistSchema),
  customFieldItems: listOf(fieldValueSchema),
});
export const cardsSchema = z.array(cardSchema);

/** Counts of what belongs to a card. They change by themselves and are not part of the record. */
export const badgesSchema = z.looseObject({
  comments: z.number().catch(0),
  attachments: z.number().catch(0),
});

/** What the history needs to know of a card. */
export const cardCountsSchema = z.array(
  z.looseObject({ id: z.string(), badges: badgesSchema.catch({ comments: 0, attachments: 0 }) }),
);
export type CardCounts = z.output<typeof cardCountsSchema>[number];

/** Reactions to a comment, each with its emoji and member. */
const reactionsSchema = z
  .array(
    z.looseObject({
      emoji: z.looseObject({ native: z.string() }),
      member: z.looseObject({ fullName: text, username: words }).nullish().catch(null),
    }),
  )
  .catch([]);

export const actionSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  date: z.string(),
  idMemberCreator: text,
  data: z.looseObject({
    text: z.string().optional(),
    card: z.looseObject({ id: z.string().optional() }).optional(),
  }),
  memberCreator: z
    .looseObject({ username: words, fullName: text })
    .nullish()
    .transform((value) => value ?? null),
  reactions: reactionsSchema.optional(),
});
export const actionsSchema = z.array(actionSchema);

/** A whole board in one response. */
export const boardTreeSchema = boardSchema.extend({
  lists: listOf(listSchema),
  labels: listOf(labelSchema),
  customFields: listOf(customFieldSchema),
  members: listOf(memberSchema),
  memberships: listOf(z.looseObject({ id: z.string() })),
  pluginData: listOf(z.looseObject({ id: z.string() })),
  checklists: listOf(checklistSchema),
  cards: listOf(cardSchema),
});

/** The response to a creation. */
export const createdSchema = z.looseObject({ id: z.string() });
export const createdCardSchema = z.looseObject({ id: z.string(), shortLink: words, shortUrl: text });

export type TrelloBoard = z.output<typeof boardSchema>;
export type BoardTree = z.output<typeof boardTreeSchema>;
export type TrelloList = z.output<typeof listSchema>;
export type TrelloLabel = z.output<typeof labelSchema>;
export type TrelloCustomField = z.output<typeof customFieldSchema>;
export type TrelloCard = z.output<typeof cardSchema>;
export type TrelloAttachment = z.output<typeof attachmentSchema>;
export type TrelloChecklist = z.output<typeof checklistSchema>;
export type TrelloAction = z.output<typeof actionSchema>;
