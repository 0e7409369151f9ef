import { z } from "zod";
import type { ErrorCode } from "#core/kernel/error-codes.ts";
import { boardWords } from "./view-answers.ts";

/** Answer schemas of the version calls, for the OpenAPI document. Times are epoch ms, sizes bytes. */

const text = z.string();
const textOrNull = z.string().nullable();
const count = z.int().min(0);
const time = z.int();
const flag = z.boolean();
const change = z.enum(["added", "changed", "removed"]);
const named = { one: text, many: text };
const commit = z.object({ id: text, title: text, author: text, at: time });

/** Error codes of reading a version, which needs the right to download it. */
export const READS_VERSION = [
  "err.role.forbidden",
  "err.plan.required",
  "err.connection.missing",
  "err.not.found",
  "err.snapshot.not.restorable",
  "err.version.unreadable",
] as const satisfies readonly ErrorCode[];

const entryRow = z.object({
  path: text,
  kind: text,
  title: text,
  sizeBytes: count,
  type: z.enum(["record", "stream"]),
});

/** A page of entries, with a summary of the version. */
export const entriesAnswer = z.object({
  itemId: text,
  itemName: text,
  platform: text,
  snapshotId: text,
  takenAt: time,
  sizeBytes: count,
  kinds: z.array(z.object({ kind: text, ...named, count })),
  skippedCount: count,
  isSound: flag.nullable(),
  verifiedAt: time.nullable(),
  expiresAt: time,
  rows: z.array(entryRow),
  next: textOrNull,
  isPaused: flag,
});

const readable = z.object({
  title: textOrNull,
  number: z.number().nullable(),
  author: textOrNull,
  createdAt: time.nullable(),
  updatedAt: time.nullable(),
  state: textOrNull,
  labels: z.array(text),
  body: textOrNull,
  url: textOrNull,
  facts: z.array(z.object({ name: text, value: text })),
});

/** A record with its children. */
export const recordAnswer = z.object({
  entry: entryRow,
  readable,
  json: text,
  parent: entryRow.nullable(),
  children: z.array(z.looseObject({ entry: entryRow, readable })),
  nextChild: textOrNull,
});

const side = z.object({ snapshotId: text, takenAt: time, sizeBytes: count });
const amounts = { added: count, changed: count, removed: count };

const partDifferences = z.object({
  ...amounts,
  rows: z.array(
    z.object({
      ...{ partId: text, path: text, key: textOrNull, title: text, change, place: textOrNull },
      what: z.array(z.looseObject({ type: text })),
    }),
  ),
});

/** What differs between two versions. */
export const comparisonAnswer = z.object({
  before: side,
  after: side,
  views: z.array(
    z.union([
      z.object({
        ...{ id: text, label: text, kind: z.literal("files"), isCloned: z.boolean() },
        tree: z.object({
          obstacle: textOrNull,
          refs: z.array(z.looseObject({ name: text, label: text, change })),
          refCount: count,
        }),
      }),
      z.object({
        ...{ id: text, label: text, kind: z.literal("board"), parts: partDifferences },
        words: boardWords,
        columns: z.object({
          ...amounts,
          rows: z.array(z.looseObject({ columnId: text, title: text, change })),
        }),
      }),
      z.object({
        ...{ id: text, label: text, kind: z.enum(["thread", "pages", "table"]), parts: partDifferences },
      }),
    ]),
  ),
  kinds: z.array(
    z.object({
      kind: text,
      ...named,
      ...amounts,
      rows: z.array(z.looseObject({ path: text, title: text, change })),
    }),
  ),
  parts: z.record(text, z.object({ kind: text, one: text })),
  isCut: flag,
});

const fieldDifference = z.looseObject({ name: text, before: textOrNull, after: textOrNull });

/** The differences of one record. */
export const recordComparisonAnswer = z.object({
  path: text,
  kind: text,
  title: text,
  change,
  fields: z.array(fieldDifference),
});

/** How one part of a view differs. */
export const partComparisonAnswer = z.looseObject({
  ...{ partId: text, key: textOrNull, title: text },
  fields: z.array(fieldDifference),
  comments: z.array(z.looseObject({ path: text, change })),
});

/** In which versions one part of a view changed, newest first. */
export const partVersionsAnswer = z.object({
  versions: z.array(
    z.object({ snapshotId: text, takenAt: time, state: z.enum(["changed", "same", "absent"]) }),
  ),
  isCut: flag,
});

/** The differences of one branch or tag. */
export const refComparisonAnswer = z.object({
  against: textOrNull,
  gained: z.array(commit),
  lost: z.array(commit),
  isMore: flag,
  files: z.array(z.object({ path: text, change })),
  isFilesCut: flag,
});

const fileSide = z.object({
  kind: z.enum(["file", "link", "submodule"]),
  isExecutable: flag,
  sizeBytes: count,
});

/** The differences of one file. */
export const fileComparisonAnswer = z.object({
  path: text,
  change,
  before: fileSide.nullable(),
  after: fileSide.nullable(),
  body: z.looseObject({ type: z.enum(["text", "same", "binary", "large", "target"]) }),
});

/** The commits of a pull request and the files that they change. */
export const proposalAnswer = z.object({
  obstacle: textOrNull,
  commits: z.array(commit),
  isMore: flag,
  files: z.array(z.object({ path: text, change })),
  isFilesCut: flag,
  file: fileComparisonAnswer.nullable(),
});
