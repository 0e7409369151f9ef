import { Hono } from "hono";
import type { Json } from "#core/kernel/canonical-json.ts";
import { answer, CONNECTION_NAME, idOf, missing, type NotionEnv, need, notFound } from "../api-context.ts";
import { attach } from "../properties/media.ts";
import {
  type Input,
  readList,
  readObject,
  readOneOf,
  readText,
  readUuid,
  typeOf,
  unfit,
} from "../properties/read-input.ts";
import { readRichText } from "../properties/rich-text.ts";
import { userOf } from "../properties/users.ts";
import { reach, type Writer } from "../properties/writer.ts";
import { Refused } from "../refused.ts";
import { renderComment } from "../render.ts";
import type { Comment, Fields, NotionWorld } from "../state.ts";
import { createComment, now, reaches } from "../store.ts";
import { readBody, refuseTrash, writerOf } from "./body.ts";
import { markdownText } from "./markdown-text.ts";

/** Most files of one comment. Source: the documentation of comments. */
const ATTACHMENTS = 3;

/**
 * Calls that write comments. A comment does not count as an edit of its page: unproven, and the harder case for a backup.
 */
export function commentRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.post("/comments", async (c) => {
    need(c, "insert_comments");
    const body = await readBody(c, [
      ...["parent", "discussion_id", "rich_text", "markdown", "attachments", "display_name"],
    ]);
    return answer(c, renderComment(world, create(writerOf(world, c), body)));
  });
  app.patch("/comments/:comment_id", async (c) => {
    need(c, "insert_comments");
    const comment = ownComment(world, c);
    const body = await readBody(c, ["rich_text", "markdown"]);
    comment.richText = readWords(writerOf(world, c), body);
    Object.assign(comment, { editedAt: now(world), editedBy: c.get("grant").botId });
    return answer(c, renderComment(world, comment));
  });
  app.delete("/comments/:comment_id", (c) => {
    need(c, "insert_comments");
    const comment = ownComment(world, c);
    const { id, parent } = comment;
    delete world.state.comments[id];
    world.state.commentsOn[parent.id] = world.state.commentsOn[parent.id]!.filter((each) => each !== id);
    return answer(c, renderComment(world, comment));
  });
  return app;
}

/** A comment that this connection made; others it may not change. Unproven, so it is refused. */
function ownComment(world: NotionWorld, c: Parameters<typeof need>[0]): Comment {
  const id = idOf(c.req.param("comment_id"), "path.comment_id");
  const comment = world.state.comments[id];
  if (!comment || !reaches(world, c.get("grant"), comment.parent.id)) throw missing(c, "comment", id);
  if (comment.createdBy !== c.get("grant").botId)
    throw new Refused("restricted_resource", "Only comments of this integration can be changed.");
  return comment;
}

function create(writer: Writer, body: Input): Comment {
  const { world, grant } = writer;
  const where = typeOf({ parent: body.parent, discussion_id: body.discussion_id }, "body", [
    "parent",
    "discussion_id",
  ]);
  const target =
    where === "parent" ? onParent(writer, body.parent) : inDiscussion(writer, body.discussion_id);
  refuseTrash(world, target.onId);
  const richText = readWords(writer, body);
  const displayName = readDisplayName(writer, body.display_name);
  const attachments = readList(body.attachments ?? [], "body.attachments", ATTACHMENTS).map((each, index) =>
    readAttachment(writer, each, `body.attachments[${index}]`),
  );
  return createComment(world, { ...target, richText, displayName, attachments, by: grant.botId });
}

function onParent(writer: Writer, value: unknown): { onId: string } {
  const input = readObject(value, "body.parent", ["type", "page_id", "block_id"]);
  const type = typeOf(input, "body.parent", ["page_id", "block_id"]);
  const id = readUuid(input[type], `body.parent.${type}`);
  reach(writer, id, [type === "page_id" ? "page" : "block"], type === "page_id" ? "page" : "block");
  return { onId: id };
}

/** A reply. A resolved discussion is not listed by the API and cannot be found by it [llms]. */
function inDiscussion({ world, grant }: Writer, value: unknown): { onId: string; discussionId: string } {
  const discussionId = readUuid(value, "body.discussion_id");
  const known = Object.values(world.state.comments).find((each) => each.discussionId === discussionId);
  if (!known || known.isResolved || !reaches(world, grant, known.parent.id))
    throw notFound(grant, "discussion", discussionId);
  return { onId: known.parent.id, discussionId };
}

function readWords(writer: Writer, body: Input): Json[] {
  const how = typeOf({ rich_text: body.rich_text, markdown: body.markdown }, "body", [
    "rich_text",
    "markdown",
  ]);
  const words =
    how === "rich_text"
      ? readRichText(writer, body.rich_text, "body.rich_text")
      : markdownText(readText(body.markdown, "body.markdown", 100_000));
  if (words.length === 0) throw unfit("body.rich_text.length", "≥ `1`", 0);
  return words;
}

function readDisplayName({ world, grant }: Writer, value: unknown): Fields {
  if (value === undefined) return { type: "integration", resolved_name: CONNECTION_NAME };
  const input = readObject(value, "body.display_name", ["type", "custom"]);
  const type = readOneOf(input.type, "body.display_name.type", ["integration", "user", "custom"]);
  if (type === "integration") return { type, resolved_name: CONNECTION_NAME };
  if (type === "user") return { type, resolved_name: userOf({ world, grant }, grant.personId).name };
  const custom = readObject(input.custom, "body.display_name.custom", ["name"]);
  return { type, resolved_name: readText(custom.name, "body.display_name.custom.name", 200) };
}

/** Kinds of files in comments. Source: contract, `CommentObjectResponse`. */
function readAttachment(writer: Writer, value: unknown, place: string): Json {
  const input = readObject(value, place, ["type", "file_upload_id"]);
  if (input.type !== undefined && input.type !== "file_upload")
    throw unfit(`${place}.type`, '`"file_upload"`', input.type);
  const { contentType, fileId } = attach(writer, readUuid(input.file_upload_id, `${place}.file_upload_id`));
  const [kind = ""] = (contentType ?? "").split("/");
  const category = ["audio", "image", "video"].includes(kind)
    ? kind
    : contentType === "application/pdf"
      ? "pdf"
      : "productivity";
  return { category, file: { file_id: fileId! } };
}
