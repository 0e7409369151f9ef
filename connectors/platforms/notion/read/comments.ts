import type { FileLink } from "#connectors/contract/field.ts";
import type { Note, NoteRange, Notes } from "#connectors/contract/note.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { byAge } from "../listed-order.ts";
import { recordPaths } from "../record-paths.ts";
import { paragraphLines } from "./block-markdown.ts";
import { type BlockNode, readBlocks, textOfBlock } from "./block-tree.ts";
import { fileLinkOf } from "./file-links.ts";
import type { Home } from "./homes.ts";
import { listOf, type Members, memberOf, membersOf, textOf } from "./members.ts";
import type { NameOf } from "./people.ts";
import { richLines } from "./rich-text.ts";

/** What comments need besides themselves. */
export type CommentIo = { snapshot: SnapshotView; nameOf: NameOf };

/** Letters of a block's text that name it. */
const LONGEST_ABOUT = 80;

/**
 * The open comments of a page and its blocks, oldest first. Ids do not tell the time, so all comments of the page are
 * read; the platform shows a page with all of them too.
 */
export async function commentsOf(io: CommentIo, home: Home, { after, most }: NoteRange): Promise<Notes> {
  const all = await readComments(io, home);
  const from = after === null ? 0 : all.findIndex(({ path }) => path === after) + 1;
  if (after !== null && from === 0) return { notes: [], next: null };
  const notes = all.slice(from, from + most);
  return { notes, next: from + most < all.length ? (notes.at(-1)?.path ?? null) : null };
}

/** One comment of a page by the path of its entry; null when there is none. */
export async function commentAt(io: CommentIo, home: Home, path: string): Promise<Note | null> {
  return (await readComments(io, home)).find((note) => note.path === path) ?? null;
}

async function readComments({ snapshot, nameOf }: CommentIo, home: Home): Promise<Note[]> {
  const read: { path: string; comment: Members }[] = [];
  for await (const { path, type } of snapshot.list(recordPaths.commentsOf(home.path))) {
    if (type !== "record") continue;
    read.push({ path, comment: membersOf(await snapshot.readRecord(path)) });
  }
  read.sort((one, other) => byAge(one.comment, other.comment));
  const texts = await blockTexts(snapshot, home, read);
  const begun = new Map<string, string>();
  const notes: Note[] = [];
  for (const { path, comment } of read) {
    const at = timeOf(textOf(comment, "created_time"));
    const discussion = textOf(comment, "discussion_id");
    const first = begun.get(discussion);
    if (first === undefined && discussion !== "") begun.set(discussion, path);
    const edited = timeOf(textOf(comment, "last_edited_time"));
    notes.push({
      ...{ path, type: "comment", at, reactions: [], answers: first ?? null },
      author:
        textOf(memberOf(comment, "display_name"), "resolved_name") || (await nameOf(comment.created_by)),
      editedAt: edited === at ? null : edited,
      text: paragraphLines(richLines(listOf(comment, "rich_text"))).join("\n"),
      about: aboutOf(comment, texts),
      files: await filesOf(snapshot, comment),
    });
  }
  return notes;
}

/** The blocks that comments are about. Blocks are read only if a comment is about one. */
async function blockTexts(
  snapshot: SnapshotView,
  home: Home,
  comments: readonly { comment: Json }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(comments.map(({ comment }) => textOf(memberOf(comment, "parent"), "block_id")));
  ids.delete("");
  const texts = new Map<string, string>();
  if (ids.size === 0) return texts;
  const add = ({ block, children }: BlockNode) => {
    if (ids.has(block.id)) texts.set(block.id, textOfBlock(block));
    children.forEach(add);
  };
  (await readBlocks(snapshot, home.path)).nodes.forEach(add);
  return texts;
}

function aboutOf(comment: Json, texts: ReadonlyMap<string, string>): string | null {
  const blockId = textOf(memberOf(comment, "parent"), "block_id");
  if (blockId === "") return null;
  const text = [...(texts.get(blockId) ?? "").replace(/\s+/g, " ").trim()];
  if (text.length === 0) return "A block of the page";
  return text.length <= LONGEST_ABOUT ? text.join("") : `${text.slice(0, LONGEST_ABOUT).join("")}…`;
}

async function filesOf(snapshot: SnapshotView, comment: Json): Promise<FileLink[]> {
  const files: FileLink[] = [];
  for (const attachment of listOf(comment, "attachments"))
    files.push(await fileLinkOf(snapshot, attachment, textOf(attachment, "category") || "file"));
  return files;
}
