import { z } from "zod";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { paths } from "../client.ts";
import { madeSchema, type Page } from "../payloads.ts";
import { folderOf, recordPaths } from "../record-paths.ts";
import { newBlocks } from "./new-blocks.ts";
import { restoreComments } from "./restore-comments.ts";
import type { Place, RestoreIo, RestoreStep } from "./restore-io.ts";
import { restoreRegister } from "./restore-register.ts";
import { childrenOf, readThing, type Thing } from "./things-of.ts";
import { uploadFiles } from "./upload-file.ts";

/** Restores a page or register with everything below it. @returns its new id; of a matched register that of the target */
export async function* restoreThing(io: RestoreIo, thing: Thing, place: Place): RestoreStep<string> {
  if (thing.type === "register") return yield* restoreRegister(io, thing.register, place);
  const { page } = thing;
  const parentId = await restorePage(io, page, place);
  const { page: done } = io.counts;
  yield { type: "progress", progress: { phase: "Restoring pages", done, total: null, unit: "items" } };
  yield { type: "checkpoint" };
  for (const child of childrenOf(page)) {
    const below = await readThing(io.snapshot, child, page.id);
    if (below !== null) yield* restoreThing(io, below, { parentId, slot: child.id, prefix: "" });
  }
  return parentId;
}

const noteSchema = z.object({ id: z.string(), comments: z.number(), files: z.number(), missing: z.number() });

/** Makes a page with its files and comments, or finds that it was made. @returns its new id */
async function restorePage(io: RestoreIo, page: Page, place: Place): Promise<string> {
  const key = `page:${page.id}`;
  const known = await readNote(io.journal, key, noteSchema);
  const note = known ?? (await makePage(io, page, place));
  if (known === null) await io.journal.record(key, note);
  io.counts.page += 1;
  io.counts.comment += note.comments;
  io.counts.file += note.files;
  io.missingFiles += note.missing;
  return note.id;
}

async function makePage(io: RestoreIo, page: Page, { parentId, slot, prefix }: Place) {
  const folder = folderOf(recordPaths.page(page.id));
  const files = await uploadFiles(io, { folder, files: page.files });
  const { title, icon, isArchived, properties } = page;
  const body = {
    requestId: `${io.mark}:page:${page.id}`,
    ...{ parentId, slot, title: `${prefix}${title}`, icon, isArchived, properties },
    ...{ blocks: newBlocks(io, page.blocks, files), fileIds: [...files.values()] },
  };
  const path = paths.below(io.siteId, io.bookId, "pages");
  const call = { method: "POST", path, body, about: "the restored page", isRepeatable: true } as const;
  const { id } = await io.client.request(call, madeSchema);
  const comments = await restoreComments(io, folder, { pageId: id });
  return { id, comments, files: files.size, missing: page.files.length - files.size };
}
