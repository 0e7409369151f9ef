import type { FileLink, Hue } from "./field.ts";

/** A colour of a block: of its letters, or of the ground behind them. */
export type Tint = { hue: Hue; on: "letters" | "ground" };

/** One block of a page. Blocks are listed from top to bottom. An absent `tint` = the ordinary colour. */
export type PageBlock =
  /** Markdown. */
  | { type: "text"; text: string; tint?: Tint }
  | { type: "file"; file: FileLink }
  /** A page of the version, at its position in the page. */
  | { type: "page"; id: string; title: string }
  /** A table of the version. `isInline` = the page shows its rows; otherwise only a link to it. */
  | { type: "table"; id: string; title: string; isInline?: true }
  /**
   * Blocks inside another one: `box` = set apart from the text around it, such as a callout; `indent` = below an item of
   * a list or a paragraph, whose own text is the block before.
   */
  | { type: "inset"; look: "box" | "indent"; icon: string | null; blocks: PageBlock[]; tint?: Tint }
  /** Blocks that are folded below a title until a reader unfolds them. The title is Markdown, of one paragraph or heading. */
  | { type: "toggle"; title: string; blocks: PageBlock[]; tint?: Tint }
  /** Blocks side by side. `share` = the part of the width; all shares are relative to each other. */
  | { type: "columns"; columns: { share: number; blocks: PageBlock[] }[] }
  /** Content that is missing from the version, and a sentence that says why. */
  | { type: "absent"; reason: string; url: string | null };
