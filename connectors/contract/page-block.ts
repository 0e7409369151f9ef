import type { FileLink } from "./field.ts";

/** One block of a page. Blocks are listed from top to bottom. */
export type PageBlock =
  /** Markdown. */
  | { type: "text"; text: string }
  | { type: "file"; file: FileLink }
  /** A page or table of the version, at its position in the page. */
  | { type: "page" | "table"; id: string; title: string }
  /** Content that is missing from the version, and a sentence that says why. */
  | { type: "absent"; reason: string; url: string | null };
