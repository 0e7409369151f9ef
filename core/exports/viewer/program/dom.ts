import type { ViewerFile } from "../data.ts";
import { type Block, type Inline, isWebAddress, parseMarkdown } from "./markdown.ts";

type Child = Node | string | null | undefined | false;

/** Creates an element with a class and children. Strings become text, never markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = "",
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  add(element, ...children);
  return element;
}

/** Appends children to an element; empty ones are skipped. */
export function add<Parent extends Node>(parent: Parent, ...children: Child[]): Parent {
  for (const child of children)
    if (child) parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  return parent;
}

/** A button styled by its class. */
export function button(className: string, onPress: () => void, ...children: Child[]): HTMLButtonElement {
  const element = make("button", className, ...children);
  element.type = "button";
  element.addEventListener("click", onPress);
  return element;
}

/** A link to the web that opens in a new tab. Anything but a web address is shown as text. */
export function webLink(href: string, ...children: Child[]): HTMLElement {
  if (!isWebAddress(href)) return make("span", "", ...children, ` (${href})`);
  const link = make("a", "", ...children);
  link.href = href;
  link.target = "_blank";
  link.rel = "noreferrer noopener";
  return link;
}

/** A file of this ZIP, a link, or a note that the version does not have the file. */
export function fileLine({ name, href, isLink, sizeBytes }: ViewerFile): HTMLElement {
  if (href === undefined) return make("span", "soft", `${name} (not in this version)`);
  if (isLink) return webLink(href, name || href);
  const link = make("a", "", name);
  // A path of this ZIP has no scheme, so it cannot be a script.
  if (!/^[a-z][\w+.-]*:/i.test(href)) link.href = href;
  link.target = "_blank";
  return make("span", "", link, sizeBytes !== undefined && make("span", "mono", ` ${sizeText(sizeBytes)}`));
}

/** Formats a size in bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`;
}

/** Markdown as elements. */
export function markdown(text: string): HTMLElement {
  return make("div", "prose", ...parseMarkdown(text).map(blockElement));
}

function blockElement(block: Block): HTMLElement {
  switch (block.tag) {
    case "p":
      return make("p", "", ...block.inlines.map(inlineNode));
    case "heading":
      return make(block.level < 2 ? "h3" : "h4", "", ...block.inlines.map(inlineNode));
    case "pre":
      return make("pre", "", make("code", "", block.text));
    case "quote":
      return make("blockquote", "", ...block.blocks.map(blockElement));
    case "list": {
      const items = block.items.map(itemElement);
      if (!block.isOrdered) return make("ul", "", ...items);
      const list = make("ol", "", ...items);
      list.start = block.start ?? 1;
      return list;
    }
    case "table":
      return make(
        "div",
        "scroll",
        make(
          "table",
          "",
          ...block.rows.map((row, index) => {
            const tag = index === 0 ? "th" : "td";
            return make("tr", "", ...row.map((cell) => make(tag, "", ...cell.map(inlineNode))));
          }),
        ),
      );
    case "rule":
      return make("hr");
  }
}

function itemElement({ isTicked, blocks }: { isTicked: boolean | null; blocks: Block[] }): HTMLElement {
  const element = make("li", isTicked === null ? "" : "task");
  if (isTicked !== null) add(element, isTicked ? "\u2611 " : "\u2610 ");
  for (const [index, block] of blocks.entries()) {
    // The text of an item stays on the line of its bullet.
    if (block.tag === "p" && index === 0) add(element, ...block.inlines.map(inlineNode));
    else add(element, blockElement(block));
  }
  return element;
}

function inlineNode(inline: Inline): Node {
  if (typeof inline === "string") return document.createTextNode(inline);
  switch (inline.tag) {
    case "code":
      return make("code", "", inline.text);
    case "image":
      return make("span", "picture", inline.text);
    case "a":
      return webLink(inline.href, ...inline.inlines.map(inlineNode));
    default:
      return make(inline.tag, "", ...inline.inlines.map(inlineNode));
  }
}
