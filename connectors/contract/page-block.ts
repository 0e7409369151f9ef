import type { FileLink } from "./field.ts";

/** One piece of what stands on a page, from top to bottom. */
export type PageBlock =
  /** Markdown. */
  | { type: "text"; text: string }
  | { type: "file"; file: FileLink }
  /** A page or table of the version at its place. */
  | { type: "page" | "table"; id: string; title: string }
  /** Something that is not in the version, and a sentence that says why. */
  | { type: "absent"; reason: string; url: string | null };
