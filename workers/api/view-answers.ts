import { z } from "zod";

/** Responses of the calls that show views of versions, for the OpenAPI document. Times are epoch ms, sizes bytes. */

const text = z.string();
const textOrNull = z.string().nullable();
const count = z.int().min(0);
const time = z.int();
const flag = z.boolean();
const words = z.object({ one: text, many: text });
const viewRow = z.object({
  kind: z.enum(["files", "board", "pages", "table", "thread"]),
  id: text,
  label: text,
  count: count.optional().describe("Number of parts, where it is known without opening the view"),
});
const field = z.object({ name: text, value: text });
const file = z.object({ name: text, path: textOrNull, url: textOrNull, sizeBytes: count.nullable() });
const tag = z.object({ name: text, hue: textOrNull, shade: z.enum(["light", "normal", "dark"]) });
const reaction = z.object({ sign: text, count });
const notes = z.object({
  notes: z.array(
    z.object({
      ...{ path: text, type: z.enum(["comment", "event"]), author: textOrNull, text },
      ...{ at: time.nullable(), editedAt: time.nullable(), about: textOrNull, answers: textOrNull },
      ...{ reactions: z.array(reaction), files: z.array(file) },
      topic: z
        .enum([
          "label",
          "person",
          "state",
          "merge",
          "branch",
          "link",
          "text",
          "date",
          "file",
          "check",
          "move",
        ])
        .optional()
        .describe("What an event is about"),
    }),
  ),
  next: textOrNull,
});
/** A page of a list. */
const listOf = <T extends z.ZodType>(row: T) => ({ rows: z.array(row), next: textOrNull, isPaused: flag });

/** The views of a version. */
export const viewsAnswer = z.object({ views: z.array(viewRow) });

const refRow = z.object({
  name: text,
  label: text,
  kind: z.enum(["branch", "tag", "request", "note", "other"]),
  isDefault: flag,
});

/** Sizes of files in bytes. */
export const fileSizesAnswer = z.array(z.object({ name: text, sizeBytes: count }));

/** A tree of files at one place. */
export const filesAnswer = z.object({
  view: viewRow,
  /** Ids of the views of files; `tree` is the shown one. */
  trees: z.array(z.object({ name: text, label: text })),
  tree: text,
  obstacle: textOrNull,
  refs: z.array(refRow),
  refCount: count,
  ref: refRow.nullable(),
  path: text,
  commits: z.array(z.object({ id: text, title: text, author: text, at: time })),
  at: z
    .union([
      z.object({
        type: z.literal("folder"),
        nodes: z.array(
          z.object({
            name: text,
            kind: z.enum(["folder", "file", "link", "submodule"]),
            isExecutable: flag,
          }),
        ),
        nodeCount: count,
      }),
      z.object({
        type: z.literal("file"),
        name: text,
        sizeBytes: count,
        body: z.looseObject({ type: z.enum(["text", "image", "binary", "link"]) }),
      }),
    ])
    .nullable(),
});

const hue = z
  .enum(["green", "yellow", "orange", "red", "purple", "blue", "sky", "lime", "pink", "gray"])
  .nullable();
const shade = z.enum(["light", "normal", "dark"]);
const card = z.object({
  ...{ id: text, path: text, columnId: text, key: textOrNull, title: text, isArchived: flag },
  rank: z.union([z.number(), text]),
  role: textOrNull,
  tags: z.array(z.object({ name: text, hue, shade })),
  cover: z.object({ hue, shade, picture: textOrNull }).nullable(),
  ...{ startAt: time.nullable(), dueAt: time.nullable(), isDone: flag },
  people: z.array(text),
  checks: z.object({ done: count, total: count }).nullable(),
  ...{ commentCount: count, fileCount: count, hasText: flag },
  badges: z.array(text),
});

/** What the platform calls the things on a board. */
export const boardWords = z.object({ card: words, column: words, people: text, away: text });

/** One column of a board with the loaded cards. */
export const columnAnswer = z.object({
  id: text,
  path: textOrNull,
  title: text,
  isArchived: flag,
  cardCount: count,
  cards: z.array(card),
  next: textOrNull,
});

/** A version as a board. */
export const boardAnswer = z.object({
  view: viewRow,
  words: boardWords,
  facts: z.object({ title: text, text, url: textOrNull, isArchived: flag }),
  columns: z.array(columnAnswer),
  cardCount: count,
  archivedCount: count,
  archivedColumnCount: count,
});

/** An opened card. */
export const cardAnswer = z.object({
  view: viewRow,
  words: boardWords,
  card,
  column: textOrNull,
  comments: notes,
  history: notes,
});

const thread = {
  ...{ id: text, path: text, key: textOrNull, title: text },
  state: z.object({ label: text, isOpen: flag }).nullable(),
  ...{ author: textOrNull, at: time.nullable(), tags: z.array(tag) },
};

/** A list of threads. */
export const threadsAnswer = z.object({
  ...{ view: viewRow, words, count, hasStates: flag },
  ...listOf(z.object(thread)),
});

/** An opened thread. */
export const threadAnswer = z.object({
  view: viewRow,
  words,
  thread: z.object({
    ...thread,
    ...{ editedAt: time.nullable(), url: textOrNull, text },
    ...{ reactions: z.array(reaction), fields: z.array(field), files: z.array(file) },
    proposal: z
      .object({ tree: text, head: text, base: textOrNull, into: text, mergedAs: textOrNull })
      .nullable()
      .describe("The commits that it proposes, such as those of a pull request"),
    comesBackAs: textOrNull.describe("What a restore makes of it, in words"),
  }),
  notes,
  noteCount: count.nullable().describe("Its comments and events; null = more than are counted"),
  neighbours: z.object({ newer: textOrNull, older: textOrNull }),
  belongs: z.array(z.object({ kind: text, ...words.shape, count })),
});

const node = {
  ...{ id: text, path: text, type: z.enum(["page", "table"]), title: text, icon: textOrNull },
  ...{ isArchived: flag, childCount: count.nullable() },
};
const within = z.array(z.looseObject({ type: text })).describe("Blocks of the same kinds");
const tint = z.object({ hue: text, on: z.enum(["letters", "ground"]) }).optional();
const blocks = z.array(
  z.union([
    z.object({ type: z.literal("text"), text, tint }),
    z.object({ type: z.literal("file"), file }),
    z.object({ type: z.literal("page"), id: text, title: text }),
    z.object({ type: z.literal("table"), id: text, title: text, isInline: z.literal(true).optional() }),
    z.object({
      ...{ type: z.literal("inset"), look: z.enum(["box", "indent"]), icon: textOrNull },
      ...{ blocks: within, tint },
    }),
    z.object({ type: z.literal("toggle"), title: text, blocks: within, tint }),
    z.object({
      type: z.literal("columns"),
      columns: z.array(z.object({ share: z.number(), blocks: within })),
    }),
    z.object({ type: z.literal("absent"), reason: text, url: textOrNull }),
  ]),
);

/** Pages and tables below one. */
export const pagesAnswer = z.object({
  ...{ view: viewRow, pageCount: count, tableCount: count },
  ...listOf(z.object(node)),
});

const column = z.object({
  ...{ id: text, name: text },
  type: z.enum(["text", "number", "date", "check", "tags", "files", "rows"]),
});
const row = {
  ...{ id: text, path: text, key: textOrNull, title: text, isArchived: flag },
  cells: z.record(z.string(), z.looseObject({ type: text })),
};

const tableRows = {
  facts: z.object({
    ...{ path: textOrNull, title: text, icon: textOrNull, text, url: textOrNull },
    titleColumn: text.optional().describe("Absent = the column of titles has no name of its own"),
    columns: z.array(column),
    layouts: z.array(
      z.looseObject({
        ...{ id: text, label: text, columns: z.array(text) },
        type: z.enum(["table", "list", "gallery", "calendar", "board"]),
      }),
    ),
    rowCount: count.nullable(),
  }),
  layoutId: textOrNull.describe("The layout whose filter and order apply"),
  isUnsorted: flag.describe("The table is too long to order its rows as the layout does"),
  ...listOf(z.object(row)),
};
const tables = z
  .record(z.string(), z.object(tableRows))
  .describe("Tables that the text shows with their first rows, by their ids");

/** A table with some of its rows. */
export const tableAnswer = z.object({ view: viewRow, ...tableRows });

/** An opened page. */
export const pageAnswer = z.object({
  view: viewRow,
  page: z.object({
    ...node,
    crumbs: z.array(z.object({ id: text, type: z.enum(["page", "table"]), title: text })),
    ...{ url: textOrNull, author: textOrNull, at: time.nullable(), editedAt: time.nullable() },
    ...{ fields: z.array(field), blocks, files: z.array(file) },
  }),
  tables,
  comments: notes,
});

/** An opened row. */
export const rowAnswer = z.object({
  ...{ view: viewRow, table: text, columns: z.array(column) },
  row: z.object({
    ...row,
    ...{ url: textOrNull, author: textOrNull, at: time.nullable(), editedAt: time.nullable() },
    ...{ blocks, files: z.array(file) },
  }),
  tables,
  comments: notes,
});
