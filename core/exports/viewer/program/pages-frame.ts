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
  const tree = make("nav", "tree", branch("", scene, new Set(wayTo(scene))));
  tree.setAttribute("aria-label", "Pages");
  return tree;
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
    const fold = foldButton(node, unfolded.has(node.id), (isOpen) => {
      if (isOpen && line.children.length === 1) add(line, branch(node.id, scene, unfolded));
      const [, list] = line.children;
      if (list instanceof HTMLElement) list.hidden = !isOpen;
    });
    add(line, make("div", "tree__line", fold.element, nodeButton(node, scene)));
    fold.show();
    return line;
  });
}

/** The button that shows and hides what is below a page. `show` tells the first state. */
function foldButton(node: ViewerPart, isOpenAtFirst: boolean, tell: (isOpen: boolean) => void) {
  let isOpen = isOpenAtFirst;
  const element = button("tree__fold", () => {
    isOpen = !isOpen;
    show();
  });
  element.setAttribute("aria-label", `Pages below ${node.title || NAMELESS}`);
  function show() {
    element.textContent = isOpen ? "\u25be" : "\u25b8";
    element.setAttribute("aria-expanded", String(isOpen));
    tell(isOpen);
  }
  return { element, show };
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
