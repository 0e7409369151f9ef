import type { ViewerPart } from "../data.ts";
import { add, button, make } from "./dom.ts";
import { inSteps, NAMELESS, ROWS_AT_ONCE, type Scene } from "./frame.ts";

/** The tree of pages, or the search results. */
export function pagesFrame(scene: Scene): HTMLElement {
  if (scene.words.length > 0) {
    const found = scene.view.parts.filter(scene.matches);
    return inSteps(make("ul", "rows"), found, ROWS_AT_ONCE, (part) =>
      make("li", "", nodeButton(part, scene)),
    );
  }
  return make("nav", "tree", branch("", scene, new Set(wayTo(scene))));
}

/** Ids of the ancestors of the opened page, which are expanded. */
function wayTo({ opened, view }: Scene): string[] {
  const way: string[] = [];
  let part = opened ?? undefined;
  while (part?.group !== undefined && !way.includes(part.group)) {
    way.push(part.group);
    part = view.byId.get(part.group);
  }
  return way;
}

function branch(group: string, scene: Scene, unfolded: ReadonlySet<string>): HTMLElement {
  const nodes = (scene.view.byGroup.get(group) ?? []).filter(
    ({ type, isArchived }) => type !== "row" && (!isArchived || scene.hasArchived),
  );
  return inSteps(make("ul", "plain"), nodes, ROWS_AT_ONCE, (node) => {
    const below = (scene.view.byGroup.get(node.id) ?? []).filter(({ type }) => type !== "row");
    const line = make("li", "tree__node");
    if (below.length === 0) return add(line, nodeButton(node, scene));
    const fold = make("details", "", make("summary", "", nodeButton(node, scene)));
    const unfold = () => {
      if (fold.open && fold.children.length === 1) add(fold, branch(node.id, scene, unfolded));
    };
    fold.addEventListener("toggle", unfold);
    if (unfolded.has(node.id)) {
      fold.open = true;
      unfold();
    }
    return add(line, fold);
  });
}

function nodeButton(part: ViewerPart, scene: Scene): HTMLElement {
  const icon = part.icon ?? (part.type === "table" ? "\u25a6" : part.type === "row" ? "\u2013" : "\u25a1");
  const element = button(
    "row",
    () => scene.open(part),
    make("span", "icon", icon),
    make("span", "row__title", part.title || NAMELESS),
  );
  if (part === scene.opened) element.setAttribute("aria-current", "true");
  return element;
}
