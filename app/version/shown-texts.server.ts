import { renderMarkdown } from "#app/markdown/render-markdown.server.ts";
import type { Note, Notes } from "#connectors/contract/note.ts";
import type { PageBlock } from "#connectors/contract/page-block.ts";

/** A note with its HTML; null = show the text unchanged. */
export type ShownNote = Note & { html: string | null };

/** A list of notes with their HTML. */
export type ShownNotes = { notes: ShownNote[]; next: string | null };

/** A block of a page; its texts have their HTML. */
export type ShownBlock =
  | Exclude<PageBlock, { type: "text" | "inset" | "toggle" | "columns" }>
  | (Extract<PageBlock, { type: "text" }> & { html: string | null })
  | (Omit<Extract<PageBlock, { type: "inset" }>, "blocks"> & { blocks: ShownBlock[] })
  | (Omit<Extract<PageBlock, { type: "toggle" }>, "blocks"> & { html: string | null; blocks: ShownBlock[] })
  | { type: "columns"; columns: { share: number; blocks: ShownBlock[] }[] };

/** Renders Markdown. Returns null for an empty text and for one that is better shown unchanged. */
export function shownText(text: string): string | null {
  return text === "" ? null : renderMarkdown(text);
}

/** Renders comments. Events stay plain sentences. */
export function shownNotes({ notes, next }: Notes): ShownNotes {
  return {
    next,
    notes: notes.map((note) => ({ ...note, html: note.type === "event" ? null : renderMarkdown(note.text) })),
  };
}

/** Renders the texts of a page. */
export function shownBlocks(blocks: readonly PageBlock[]): ShownBlock[] {
  return blocks.map((block): ShownBlock => {
    switch (block.type) {
      case "text":
        return { ...block, html: shownText(block.text) };
      case "inset":
        return { ...block, blocks: shownBlocks(block.blocks) };
      case "toggle":
        return { ...block, html: shownText(block.title), blocks: shownBlocks(block.blocks) };
      case "columns": {
        const columns = block.columns.map(({ share, blocks }) => ({ share, blocks: shownBlocks(blocks) }));
        return { type: "columns", columns };
      }
      default:
        return block;
    }
  });
}
