import type { FileLink } from "#connectors/contract/field.ts";
import type { Note } from "#connectors/contract/note.ts";
import type { PageBlock } from "#connectors/contract/page-block.ts";
import type { PageDetail } from "#connectors/contract/pages-view.ts";
import { escapeMarkdown } from "#connectors/toolkit/markdown/escape-markdown.ts";
import { nameLine } from "./block-markdown.ts";

/** Names that programs show as a picture. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|avif)$/i;

/** Where things of the version are, as relative addresses from the page's file; null = nowhere. */
export type Places = {
  page(id: string): Promise<string | null>;
  table(id: string): Promise<string | null>;
  file(path: string): string | null;
  /** Why a file has no address. */
  missingFile: string;
};

/** For the file of one page, which has nothing beside it. */
export const NO_PLACES: Places = {
  page: async () => null,
  table: async () => null,
  file: () => null,
  missingFile: "not beside this text",
};

/** A page as one Markdown file: title, properties, what stands in it, files beside it, comments. */
export async function pageMarkdown(
  page: Pick<PageDetail, "title" | "icon" | "fields" | "blocks" | "files">,
  comments: readonly Note[],
  places: Places,
): Promise<string> {
  const title = [page.icon ?? "", nameLine(page.title) || "Untitled"].filter(Boolean).join(" ");
  const fields = page.fields.map(({ name, value }) => `- ${nameLine(name)}: ${nameLine(value)}`);
  const parts = [
    `# ${title}`,
    fields.join("\n"),
    ...(await blockTexts(page.blocks, places)),
    page.files.map((file) => fileText(file, places)).join("\n\n"),
    comments.length === 0 ? "" : "## Comments",
    ...comments.map(commentText),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

async function blockTexts(blocks: readonly PageBlock[], places: Places): Promise<string[]> {
  const texts: string[] = [];
  for (const block of blocks) texts.push(await blockText(block, places));
  return texts.filter((text) => text !== "");
}

async function blockText(block: PageBlock, places: Places): Promise<string> {
  const inside = async (blocks: readonly PageBlock[]) => (await blockTexts(blocks, places)).join("\n\n");
  switch (block.type) {
    case "text":
      return block.text;
    case "file":
      return fileText(block.file, places);
    case "page":
    case "table": {
      const name = nameLine(block.title) || "Untitled";
      const place = await (block.type === "page" ? places.page(block.id) : places.table(block.id));
      return place === null ? name : `[${name}](${place})`;
    }
    case "inset": {
      const text = await inside(block.blocks);
      if (block.look === "box") return prefixed(block.icon === null ? text : `${block.icon} ${text}`, "> ");
      // Deep enough for what belongs to a list's item, and not so deep that it becomes code.
      return prefixed(text, "   ");
    }
    case "toggle": {
      const text = await inside(block.blocks);
      if (block.title.startsWith("#")) return [block.title, text].filter(Boolean).join("\n\n");
      return [`- ${block.title}`, prefixed(text, "  ")].filter(Boolean).join("\n\n");
    }
    case "columns": {
      const columns: string[] = [];
      for (const { blocks } of block.columns) columns.push(await inside(blocks));
      return columns.filter(Boolean).join("\n\n");
    }
    case "absent": {
      const reason = escapeMarkdown(block.reason);
      return block.url === null ? `_${reason}_` : `_${reason}_ <${addressOf(block.url)}>`;
    }
    default:
      return block satisfies never;
  }
}

function prefixed(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? prefix.trimEnd() : `${prefix}${line}`))
    .join("\n");
}

function fileText({ name, path, url }: FileLink, places: Places): string {
  const words = nameLine(name);
  const place = path === null ? url && addressOf(url) : places.file(path);
  if (place === null) return `${words} (${places.missingFile})`;
  return `${path !== null && PICTURE.test(name) ? "!" : ""}[${words}](${place})`;
}

function commentText({ author, at, about, text }: Note): string {
  const time = at === null ? "" : `, ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const on = about === null ? "" : ` on “${nameLine(about)}”`;
  return prefixed(`**${nameLine(author ?? "Somebody")}**${time}${on}\n\n${text}`, "> ");
}

/** An address inside brackets, which cannot end it early. */
function addressOf(url: string): string {
  return url.replace(/[\s<>()]/gu, (sign) =>
    encodeURIComponent(sign).replace("(", "%28").replace(")", "%29"),
  );
}
