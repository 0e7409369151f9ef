import { z } from "zod";

/** Schemas of Almanac's responses. Parsing drops members that a schema does not list. */
const text = z.string();
const moment = z.string();

/** A page of a list; `next` is the cursor behind it. */
export const listOf = <S extends z.ZodType>(member: S) =>
  z.object({ items: z.array(member), next: text.nullable() });

export const siteSchema = z.object({ id: text, name: text, address: text });

/** What stands at a place: text, a file of the page, a page or register below it. */
export const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text }),
  z.object({ type: z.literal("file"), fileId: text }),
  z.object({ type: z.literal("page"), id: text }),
  z.object({ type: z.literal("register"), id: text }),
  /** Something of another site; only its address is known. */
  z.object({ type: z.literal("embed"), url: text }),
  /** A text in a box, with a sign before it. */
  z.object({ type: z.literal("box"), sign: text.nullable(), text }),
  /** A text that is folded below a title. */
  z.object({ type: z.literal("fold"), title: text, text }),
  /** Texts side by side, all of one width. */
  z.object({ type: z.literal("beside"), texts: z.array(text) }),
  /** A place that a page or register made later will fill. */
  z.object({ type: z.literal("slot"), name: text }),
]);
export type Block = z.output<typeof blockSchema>;

/** A page or register below a page or at the top of a book. */
export const childSchema = z.object({ type: z.enum(["page", "register"]), id: text });
export type Child = z.output<typeof childSchema>;

export const fileSchema = z.object({ id: text, name: text, sizeBytes: z.number(), sha256: text });
export type FileFacts = z.output<typeof fileSchema>;

export const bookSchema = z.object({
  id: text,
  name: text,
  description: text,
  sharing: z.enum(["private", "site"]),
  sizeBytes: z.number(),
  contents: z.array(childSchema),
  counts: z.object({
    page: z.number(),
    register: z.number(),
    row: z.number(),
    comment: z.number(),
    file: z.number(),
  }),
});
export type Book = z.output<typeof bookSchema>;
/** A book as its version holds it; counts and size follow from the version. */
export const bookRecordSchema = bookSchema.omit({ counts: true, sizeBytes: true });

const written = {
  author: text.nullable(),
  createdAt: moment,
  editedAt: moment,
  isArchived: z.boolean(),
  blocks: z.array(blockSchema),
  files: z.array(fileSchema),
};

export const pageSchema = z.object({
  id: text,
  parentId: text.nullable(),
  title: text,
  icon: text.nullable(),
  properties: z.array(z.object({ name: text, value: text })),
  ...written,
});
export type Page = z.output<typeof pageSchema>;

export const columnSchema = z.object({
  id: text,
  name: text,
  type: z.enum(["text", "number", "date", "check", "tags", "files", "rows"]),
  /** Behind each number. */
  unit: text.nullable(),
});
export type Column = z.output<typeof columnSchema>;

export const layoutSchema = z.object({
  id: text,
  label: text,
  type: z.enum(["table", "list", "gallery", "calendar", "board"]),
  columns: z.array(text),
  /** The column of a gallery's pictures. */
  cover: text.nullable(),
  /** The column of a calendar's days. */
  date: text.nullable(),
  /** The column of tags by which a board is divided. */
  group: text.nullable(),
});

export const registerSchema = z.object({
  id: text,
  parentId: text.nullable(),
  title: text,
  icon: text.nullable(),
  text,
  isArchived: z.boolean(),
  columns: z.array(columnSchema),
  layouts: z.array(layoutSchema),
});
export type Register = z.output<typeof registerSchema>;

export const cellSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text }),
  z.object({ type: z.literal("number"), value: z.number() }),
  z.object({ type: z.literal("date"), from: text, until: text.nullable() }),
  z.object({ type: z.literal("check"), isOn: z.boolean() }),
  z.object({ type: z.literal("tags"), tags: z.array(z.object({ name: text, colour: text.nullable() })) }),
  z.object({ type: z.literal("files"), fileIds: z.array(text) }),
  z.object({ type: z.literal("rows"), rowIds: z.array(text) }),
]);
export type Cell = z.output<typeof cellSchema>;

export const rowSchema = z.object({
  id: text,
  registerId: text,
  key: text,
  title: text,
  cells: z.record(text, cellSchema),
  ...written,
});
export type Row = z.output<typeof rowSchema>;

export const commentSchema = z.object({
  id: text,
  on: z.object({ pageId: text.nullable(), rowId: text.nullable(), registerId: text.nullable() }),
  answers: text.nullable(),
  author: text.nullable(),
  at: moment,
  editedAt: moment.nullable(),
  text,
  reactions: z.array(z.object({ sign: text, count: z.number() })),
});
export type Comment = z.output<typeof commentSchema>;

/** Who may read a book. */
export const readersSchema = z.object({ readers: z.array(z.object({ name: text, login: text })) });

/** What Almanac answers when it has made something. */
export const madeSchema = z.object({ id: text });
export const madeManySchema = z.object({ items: z.array(madeSchema) });
