import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { paths } from "../client.ts";
import { byAge } from "../listed-order.ts";
import { commentsSchema, idSchema } from "../payloads.ts";
import { readAll } from "../read-list.ts";
import { recordPaths } from "../record-paths.ts";
import { openAttacher } from "./attach-uploads.ts";
import type { FillState } from "./fill-state.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json-parts.ts";
import { isRefusal } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { cutText, referredIds, textPieces, writtenText } from "./rich-text.ts";
import { type Uploaded, uploadOrReport } from "./upload-file.ts";

/** A comment of the version. `blockId`: the block that it is on; null = the page. */
export type CommentRecord = { id: string; blockId: string | null; at: string; record: JsonObject };

/** Most files of a comment, and the longest name of an author (`@notionhq/client` 5.26.0; the latter is a guess). */
const MOST_FILES = 3;
const LONGEST_NAME = 100;

const madeSchema = z.looseObject({ id: idSchema, discussion_id: idSchema.optional() });
type NewComment = z.output<typeof madeSchema>;

/** The comments of a page, oldest first. */
export async function readComments(snapshot: SnapshotView, home: string): Promise<CommentRecord[]> {
  const comments: CommentRecord[] = [];
  for await (const { path, type } of snapshot.list(recordPaths.commentsOf(home))) {
    if (type !== "record") continue;
    const record = (await snapshot.readRecord(path)) as JsonObject;
    const blockId = textOf(objectOf(record.parent).block_id);
    comments.push({ id: textOf(record.id) ?? path, blockId, at: textOf(record.created_time) ?? "", record });
  }
  return comments.sort((one, other) => byAge(one.record, other.record));
}

/** Restores the comments of a page: discussions in their order, each comment under the name of its author. */
export async function* restoreComments(
  io: RestoreIo,
  order: { pageId: string; comments: readonly CommentRecord[]; state: FillState; save: () => Promise<void> },
): AsyncGenerator<RestoreEvent, void> {
  const { comments, state, save } = order;
  for (const [index, comment] of comments.entries()) {
    if (index < state.comments) continue;
    try {
      await restoreComment(io, order, comment, index);
      state.commented += 1;
    } catch (error) {
      if (error instanceof ConnectorError && error.kind === "forbidden") {
        io.losses.tell("commentsForbidden");
        state.comments = comments.length;
        await save();
        return;
      }
      if (!isRefusal(error)) throw error;
      io.losses.tell("commentRefused");
    }
    state.comments = index + 1;
    await save();
    if (state.comments % 20 === 0) yield { type: "checkpoint" };
  }
}

async function restoreComment(
  io: RestoreIo,
  { pageId, comments, state }: { pageId: string; comments: readonly CommentRecord[]; state: FillState },
  comment: CommentRecord,
  index: number,
): Promise<void> {
  const { record, blockId } = comment;
  const discussion = textOf(record.discussion_id) ?? "";
  const known = state.discussions[discussion];
  const newBlock = blockId === null ? null : (state.ids[blockId] ?? null);
  if (blockId !== null && newBlock === null) io.losses.tell("commentPlace");
  const parent: JsonObject = newBlock === null ? { page_id: pageId } : { block_id: newBlock };
  const text = await commentText(io, comment);
  const name = await authorOf(io, record);
  const uploads = await uploadFiles(io, record);
  const attachments = uploads.map(({ id }) => ({ type: "file_upload", file_upload_id: id }));
  const body: JsonObject = {
    ...(known === undefined ? { parent } : { discussion_id: known }),
    rich_text: text,
    display_name: { type: "custom", custom: { name } },
    ...(attachments.length === 0 ? {} : { attachments }),
  };
  const attach = openAttacher(io.uploader, uploads);
  const shown = writtenPart(text);
  // Equal comments of the same place, made before this one.
  const before = async () => {
    let count = 0;
    for (const each of comments.slice(0, index)) {
      if (each.blockId === blockId && writtenPart(await commentText(io, each)) === shown) count += 1;
    }
    return count;
  };
  const made = await io.maker.make<NewComment>({
    look: async () => await findComment(io, newBlock ?? pageId, { shown, before: await before() }),
    create: () =>
      attach(body, (current) =>
        io.client.request(
          { method: "POST", path: paths.comments, body: current, about: "a comment", missing: "gone" },
          madeSchema,
        ),
      ),
  });
  state.files += uploads.length;
  if (known === undefined && made.discussion_id !== undefined)
    state.discussions[discussion] = made.discussion_id;
}

/** A comment with its time above, because Notion shows the time of the restore. */
async function commentText(io: RestoreIo, { record, at }: CommentRecord): Promise<JsonObject[]> {
  await io.ids.load(referredIds(record.rich_text));
  const style = { annotations: { italic: true, color: "gray" } };
  const head = at === "" ? [] : textPieces(`${momentText(at)}\n`, null, style);
  return cutText([...head, ...writtenText(record.rich_text, io.references)], io.losses.tell);
}

/** The name of the comment's author: as Notion resolved it, or from the people of the version. */
async function authorOf({ snapshot }: RestoreIo, record: JsonObject): Promise<string> {
  const resolved = textOf(objectOf(record.display_name).resolved_name);
  const userId = textOf(objectOf(record.created_by).id) ?? "";
  const path = recordPaths.user(userId);
  const known = resolved === null && (await snapshot.find(path)) !== null;
  const name = resolved ?? (known ? textOf(((await snapshot.readRecord(path)) as JsonObject).name) : null);
  return [...(name || "Someone")].slice(0, LONGEST_NAME).join("");
}

async function uploadFiles(io: RestoreIo, record: JsonObject): Promise<Uploaded[]> {
  const uploads: Uploaded[] = [];
  const stored = objectsOf(record.attachments);
  if (stored.length > MOST_FILES) io.losses.tell("attachmentCut");
  for (const each of stored.slice(0, MOST_FILES)) {
    const path = textOf(objectOf(each.file).path);
    if (path === null) io.losses.tell("fileMissing");
    const upload = path === null ? null : await uploadOrReport(io, path);
    if (upload !== null) uploads.push(upload);
  }
  return uploads;
}

async function findComment(
  { client }: RestoreIo,
  on: string,
  { shown, before }: { shown: string; before: number },
): Promise<NewComment | null> {
  const call = {
    method: "GET",
    path: paths.comments,
    query: { block_id: on },
    about: "the new comments",
  } as const;
  const there = await readAll(client, call, commentsSchema);
  return there.filter(({ rich_text: text }) => writtenPart(text as JsonObject[]) === shown)[before] ?? null;
}

/** The text without mentions, which requests and answers write differently. */
function writtenPart(items: readonly JsonObject[]): string {
  return items
    .filter(({ type }) => type === "text")
    .map(({ text }) => textOf(objectOf(text).content) ?? "")
    .join("");
}
