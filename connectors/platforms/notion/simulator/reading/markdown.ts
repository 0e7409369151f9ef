import type { Json } from "#core/kernel/canonical-json.ts";
import { plainText, renderBlock, shownChildren, titleOf } from "../render.ts";
import { addressOf } from "../sign-files.ts";
import type { Fields, NotionWorld } from "../state.ts";
import { findThing } from "../store.ts";

/** Types that have no form in Markdown; they are shown as a marker with their id (contract: `unknown_block_ids`). */
const UNKNOWN = new Set(["unsupported", "link_preview", "breadcrumb", "template"]);

/**
 * A page as Markdown. The text is the same as long as the page is, so that its hash shows changes; files stand in it
 * without their signatures. What is beyond the limit of blocks is cut, and the answer has the ids of the cut subtrees. The syntax of
 * the recorded `# Hello\nAsync test content.` is kept: a line for each block, deeper blocks indented.
 */
export function markdownOf(
  world: NotionWorld,
  id: string,
): { markdown: string; truncated: boolean; unknown_block_ids: string[] } {
  const lines: string[] = [];
  const unknown: string[] = [];
  let left = world.settings.markdownBlocks;
  let isCut = false;
  const write = (parentId: string, indent: string) => {
    for (const child of shownChildren(world, parentId)) {
      if (left === 0) {
        isCut = true;
        unknown.push(child);
        continue;
      }
      left -= 1;
      const found = findThing(world, child);
      if (found?.kind !== "block") {
        const title = found?.kind === "page" ? titleOf(found.thing) : titleOfDatabase(world, child);
        lines.push(`${indent}<${found?.kind === "page" ? "page" : "database"} id="${child}">${title}`);
        continue;
      }
      const { type, payload } = found.thing;
      if (UNKNOWN.has(type)) unknown.push(child);
      lines.push(
        ...lineOf(world, type, payload)
          .split("\n")
          .map((line) => indent + line),
      );
      write(child, `${indent}\t`);
    }
  };
  write(id, "");
  return { markdown: lines.join("\n"), truncated: isCut, unknown_block_ids: unknown };
}

const HEADS: Record<string, string> = {
  ...{ heading_1: "# ", heading_2: "## ", heading_3: "### ", heading_4: "#### " },
  ...{ bulleted_list_item: "- ", numbered_list_item: "1. ", quote: "> ", toggle: "▶ ", callout: "💡 " },
};

function lineOf(world: NotionWorld, type: string, payload: Fields): string {
  const text = marked((payload.rich_text ?? []) as Fields[]);
  const caption = marked((payload.caption ?? []) as Fields[]);
  switch (type) {
    case "to_do":
      return `- [${payload.checked === true ? "x" : " "}] ${text}`;
    case "code":
      return `\`\`\`${String(payload.language)}\n${plainText(payload.rich_text ?? [])}\n\`\`\`${caption}`;
    case "equation":
      return `$$${String(payload.expression)}$$`;
    case "divider":
      return "---";
    case "table_row":
      return `| ${(payload.cells as Json[]).map((cell) => marked(cell as Fields[])).join(" | ")} |`;
    case "image":
    case "video":
    case "audio":
    case "pdf":
    case "file":
      return `<${type} src="${sourceOf(world, payload)}">${caption}`;
    default:
      if (payload.rich_text !== undefined) return `${HEADS[type] ?? ""}${text}${shown(payload)}`;
      return `<${type}${shown(payload)}>${caption}`;
  }
}

/** Text with its marks. Mentions are shown by their kind and their text. */
function marked(richText: readonly Fields[]): string {
  return richText
    .map(({ plain_text, annotations, href, type }) => {
      const marks = Object.entries((annotations ?? {}) as Fields).filter(
        ([, value]) => value !== false && value !== "default",
      );
      const text = String(plain_text ?? "");
      const inner =
        type === "mention" ? `<mention>${text}</mention>` : href ? `[${text}](${String(href)})` : text;
      return marks.length === 0
        ? inner
        : `{${marks.map(([name, value]) => `${name}=${value}`).join(",")}|${inner}}`;
    })
    .join("");
}

/** What else a payload says: its colour, its icon, its address. */
function shown(payload: Fields): string {
  const { rich_text: _, caption: __, ...rest } = payload;
  const said = Object.entries(rest).filter(
    ([, value]) => value !== null && value !== "default" && value !== false && typeof value !== "object",
  );
  return said.map(([name, value]) => ` {${name}="${String(value)}"}`).join("");
}

function sourceOf(world: NotionWorld, payload: Fields): string {
  const file = payload.file as Fields | undefined;
  const kept = typeof file?.file_id === "string" ? world.state.files[file.file_id] : undefined;
  return kept ? addressOf(world, kept) : String((payload.external as Fields | undefined)?.url ?? "");
}

function titleOfDatabase(world: NotionWorld, id: string): string {
  return String((renderBlock(world, id).child_database as Fields).title);
}
