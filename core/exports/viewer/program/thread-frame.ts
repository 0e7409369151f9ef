import { button, make } from "./dom.ts";
import { inSteps, NAMELESS, ROWS_AT_ONCE, type Scene } from "./frame.ts";
import { tagRow } from "./part.ts";
import { timeText } from "./words.ts";

/** A list of threads, newest first. */
export function threadFrame(scene: Scene): HTMLElement {
  const found = scene.view.parts.filter(scene.matches);
  return inSteps(make("ul", "rows"), found, ROWS_AT_ONCE, (part) => {
    const { key, title, state, author, at } = part;
    const by = [state?.label, author && `by ${author}`, at !== undefined && timeText(at)].filter(Boolean);
    const row = button(
      "row",
      () => scene.open(part),
      make("span", "mono", key ?? ""),
      make("span", "row__title", title || NAMELESS),
      part.tags !== undefined && tagRow(part),
      make("span", "soft", by.join(", ")),
    );
    return make("li", "", row);
  });
}
