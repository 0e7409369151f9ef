import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { paths } from "../client.ts";
import { madeManySchema, type Register, type Row, rowSchema } from "../payloads.ts";
import { folderOf, recordPaths } from "../record-paths.ts";
import { newBlocks } from "./new-blocks.ts";
import { newCells } from "./new-cells.ts";
import { restoreComments } from "./restore-comments.ts";
import type { RestoreIo, RestoreStep } from "./restore-io.ts";
import { uploadFiles } from "./upload-file.ts";

/** The most rows that Almanac takes at once; the plan of a restore counts on the same. */
export const ROWS_PER_CALL = 20;

const noteSchema = z.object({
  after: z.string(),
  rows: z.number(),
  comments: z.number(),
  files: z.number(),
  missing: z.number(),
});
type Note = z.output<typeof noteSchema>;
const NOTHING: Note = { after: "", rows: 0, comments: 0, files: 0, missing: 0 };

/** Adds all rows of a register to one at Almanac, batch by batch. */
export async function* restoreRows(io: RestoreIo, register: Register, into: string): RestoreStep {
  const key = `rows:${register.id}`;
  let note = (await readNote(io.journal, key, noteSchema)) ?? NOTHING;
  for (;;) {
    const batch = await rowsAfter(io, register.id, note.after);
    if (batch.length === 0) break;
    const { last: _last, ...made } = await makeRows(io, { register, into, prefix: "" }, batch);
    note = {
      after: batch.at(-1)?.path ?? "",
      rows: note.rows + batch.length,
      comments: note.comments + made.comments,
      files: note.files + made.files,
      missing: note.missing + made.missing,
    };
    await io.journal.record(key, note);
    const progress = { phase: "Restoring rows", done: io.counts.row + note.rows, total: null } as const;
    yield { type: "progress", progress: { ...progress, unit: "items" } };
    yield { type: "checkpoint" };
  }
  count(io, note);
}

/** Adds one row. @returns its new id */
export async function restoreRow(
  io: RestoreIo,
  order: { register: Register; into: string; prefix: string },
  path: string,
): Promise<string> {
  const key = `row:${path}`;
  const schema = noteSchema.extend({ last: z.string() });
  const known = await readNote(io.journal, key, schema);
  const note = known ?? {
    after: "",
    rows: 1,
    ...(await makeRows(io, order, [{ path, row: rowSchema.parse(await io.snapshot.readRecord(path)) }])),
  };
  if (known === null) await io.journal.record(key, note);
  count(io, note);
  return note.last;
}

type Found = { path: string; row: Row };

async function rowsAfter({ snapshot }: RestoreIo, registerId: string, after: string): Promise<Found[]> {
  const found: Found[] = [];
  for await (const { path, kind } of snapshot.list(recordPaths.rows(registerId), after)) {
    if (kind !== "row") continue;
    found.push({ path, row: rowSchema.parse(await snapshot.readRecord(path)) });
    if (found.length === ROWS_PER_CALL) break;
  }
  return found;
}

/** Makes rows with their files and comments. Asking twice makes them once. */
async function makeRows(
  io: RestoreIo,
  { register, into, prefix }: { register: Register; into: string; prefix: string },
  batch: readonly Found[],
): Promise<Pick<Note, "comments" | "files" | "missing"> & { last: string }> {
  const rows = [];
  const sum = { comments: 0, files: 0, missing: 0 };
  for (const { path, row } of batch) {
    const files = await uploadFiles(io, { folder: folderOf(path), files: row.files });
    sum.files += files.size;
    sum.missing += row.files.length - files.size;
    const { title, isArchived } = row;
    const cells = newCells(io, { register, into }, { cells: row.cells, files });
    const blocks = newBlocks(io, row.blocks, files);
    rows.push({ title: `${prefix}${title}`, isArchived, cells, blocks, fileIds: [...files.values()] });
  }
  const path = paths.below(io.siteId, io.bookId, "rows");
  const body = { requestId: `${io.mark}:rows:${batch[0]?.path}`, registerId: into, rows };
  const call = { method: "POST", path, body, about: "the restored rows", isRepeatable: true } as const;
  const { items } = await io.client.request(call, madeManySchema);
  if (items.length !== batch.length)
    throw new ConnectorError("malformed", "Almanac made another number of rows than it was asked for.");
  for (const [at, { id }] of items.entries())
    sum.comments += await restoreComments(io, folderOf(batch[at]!.path), { rowId: id, registerId: into });
  return { ...sum, last: items.at(-1)?.id ?? "" };
}

function count(io: RestoreIo, note: Note): void {
  io.counts.row += note.rows;
  io.counts.comment += note.comments;
  io.counts.file += note.files;
  io.missingFiles += note.missing;
}
