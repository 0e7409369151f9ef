import type { ViewerPart } from "../data.ts";
import { add, button, make, markdown } from "./dom.ts";
import type { LoadedView } from "./store.ts";

/** Shown for an empty title. */
export const NAMELESS = "(no title)";
/** Lines of a list that are drawn at once. */
export const ROWS_AT_ONCE = 100;

/** Input of a frame: the view, the current selection, and how to open a part. */
export type Scene = {
  view: LoadedView;
  /** When the version was taken; epoch ms. */
  takenAt: number;
  words: readonly string[];
  hasArchived: boolean;
  /** The part that is open; null = none. */
  opened: ViewerPart | null;
  open: (part: ViewerPart | null) => void;
  matches: (part: ViewerPart) => boolean;
};

/** The first parts of a list, and a button for the next ones: a page with thousands of rows renders slowly. */
export function inSteps<Part>(
  list: HTMLElement,
  parts: readonly Part[],
  step: number,
  draw: (part: Part) => HTMLElement,
): HTMLElement {
  const box = make("div");
  let shown = 0;
  const more = button("more", grow);
  function grow() {
    for (const part of parts.slice(shown, shown + step)) list.appendChild(draw(part));
    shown = Math.min(parts.length, shown + step);
    const left = parts.length - shown;
    more.textContent = `${left.toLocaleString("en-US")} more`;
    more.hidden = left === 0;
  }
  grow();
  return add(box, list, more);
}

/** The description of a board or table, collapsed. */
export function about(text: string): HTMLElement {
  return make("details", "about", make("summary", "", "About"), markdown(text));
}
