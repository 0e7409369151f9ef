import type { Field, FileLink, Tag } from "#connectors/contract/field.ts";
import type { Note, NoteRange, Notes, Reaction } from "#connectors/contract/note.ts";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { ViewerBlock, ViewerFile, ViewerNote } from "./data.ts";
import { LONGEST_NOTES, LONGEST_TEXT, MOST_NOTES, NOTES_AT_ONCE } from "./limits.ts";

/** Returns the path of an entry in the ZIP; null = it has no file of its own there. */
export type FindInZip = (entry: string) => string | null;

/** Returns undefined for an empty list. */
export function some<T>(all: readonly T[]): T[] | undefined {
  return all.length === 0 ? undefined : [...all];
}

/** Fields, labels and reactions, in record order; empty lists are omitted. */
export function listsOf({
  fields,
  tags,
  reactions,
}: {
  fields?: readonly Field[];
  tags?: readonly Tag[];
  reactions?: readonly Reaction[];
}) {
  return { fields: some(fields ?? []), tags: some(tags ?? []), reactions: some(reactions ?? []) };
}

/** A text as a block; undefined for an empty text. */
export function textBlocks(text: string): ViewerBlock[] | undefined {
  return text.trim() === "" ? undefined : [textBlock(text)];
}

function textBlock(text: string): Extract<ViewerBlock, { type: "text" }> {
  if (text.length <= LONGEST_TEXT) return { type: "text", text };
  return { type: "text", text: text.slice(0, LONGEST_TEXT).toWellFormed(), isCut: true };
}

/** The blocks of a page or row. */
export function blocksOf(blocks: readonly PageBlock[], find: FindInZip): ViewerBlock[] | undefined {
  return some(blocks.map((block) => blockOf(block, find)));
}

function blockOf(block: PageBlock, find: FindInZip): ViewerBlock {
  const inner = (blocks: readonly PageBlock[]) => blocks.map((each) => blockOf(each, find));
  switch (block.type) {
    case "text":
      return { ...textBlock(block.text), tint: block.tint };
    case "file":
      return { type: "file", file: fileOf(block.file, find) };
    case "absent":
      return { type: "absent", reason: block.reason, url: block.url ?? undefined };
    case "inset":
      return { ...block, icon: block.icon ?? undefined, blocks: inner(block.blocks) };
    case "toggle":
      return { ...block, blocks: inner(block.blocks) };
    case "columns": {
      const columns = block.columns.map(({ share, blocks }) => ({ share, blocks: inner(blocks) }));
      return { type: "columns", columns };
    }
    default:
      return block;
  }
}

/** Files of the ZIP with their paths, and links. */
export function filesOf(files: readonly FileLink[], find: FindInZip): ViewerFile[] | undefined {
  return some(files.map((file) => fileOf(file, find)));
}

function fileOf({ name, path, url, sizeBytes }: FileLink, find: FindInZip): ViewerFile {
  const place = path === null ? null : find(path);
  const href = place === null ? url : place.split("/").map(encodeURIComponent).join("/");
  return {
    name,
    href: href ?? undefined,
    isLink: place === null && url !== null ? true : undefined,
    sizeBytes: sizeBytes ?? undefined,
  };
}

/** The notes of a part, up to the limit, in list order. */
export async function readNotes(
  read: (range: NoteRange) => Promise<Notes>,
  find: FindInZip,
): Promise<{ notes: ViewerNote[]; isCut: boolean }> {
  const notes: ViewerNote[] = [];
  let letters = 0;
  let after: string | null = null;
  do {
    const page: Notes = await read({ after, most: NOTES_AT_ONCE });
    for (const note of page.notes) {
      if (notes.length >= MOST_NOTES || letters > LONGEST_NOTES) return { notes, isCut: true };
      const shown = noteOf(note, find);
      letters += shown.text.length;
      notes.push(shown);
    }
    after = page.next;
  } while (after !== null);
  return { notes, isCut: false };
}

function noteOf(note: Note, find: FindInZip): ViewerNote {
  const { type, author, at, editedAt, text, about, reactions, files } = note;
  return {
    isEvent: type === "event" ? true : undefined,
    author: author ?? undefined,
    at: at ?? undefined,
    editedAt: editedAt ?? undefined,
    text: text.slice(0, LONGEST_TEXT).toWellFormed(),
    about: about ?? undefined,
    reactions: some(reactions),
    files: filesOf(files, find),
  };
}
