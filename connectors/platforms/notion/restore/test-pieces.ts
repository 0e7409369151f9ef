import fc from "fast-check";
import type { Json } from "#core/kernel/canonical-json.ts";
import { pageMention, seedKit, text } from "../simulator/seed-kit.ts";
import type { RestoreBench } from "./test-bench.ts";
import { PROPERTIES, type TestTable, writeTable } from "./test-tables.ts";

/**
 * A piece of a page, for tests of restores: a block with what is in it, a page or database below, a comment, or a reference
 * to something that is there already.
 */
export type Piece = { type: string; inside: readonly Piece[]; pick: number; properties?: readonly string[] };

/** Blocks that hold others, and pages. Headings are toggleable only here. */
const HOLDERS = [
  ...["paragraph", "toggle", "bulleted_list_item", "numbered_list_item", "quote", "callout", "to_do"],
  ...["synced_block", "template", "transcription", "heading_1", "heading_2", "heading_3", "heading_4"],
  ...["unsupported", "child_page"],
];
const LEAVES = [
  ...["divider", "breadcrumb", "table_of_contents", "code", "equation", "table", "bookmark", "embed"],
  ...["link_preview", "link_to_page", "image", "video", "audio", "pdf", "file", "paragraph"],
  ...["heading_1", "heading_2", "heading_3", "heading_4"],
];
/** Pieces that are no type of block by themselves. */
const REFERENCES = ["mention", "copy", "comment"];
const LISTS = ["column_list", "tab"];

/** Types of blocks that pieces make; columns and rows of tables come with what they stand in. */
export const PIECE_TYPES: ReadonlySet<string> = new Set([
  ...[...HOLDERS, ...LEAVES, ...LISTS, "child_database", "column", "table_row"],
]);

const pick = fc.nat(30);

/** Any piece. */
export const anyPiece: fc.Arbitrary<Piece> = fc.letrec<{ piece: Piece }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({ type: fc.constantFrom(...LEAVES, ...REFERENCES), inside: fc.constant([]), pick }),
    fc.record({
      type: fc.constantFrom(...HOLDERS),
      inside: fc.array(tie("piece"), { maxLength: 4 }),
      pick,
    }),
    fc.record({
      type: fc.constantFrom(...LISTS),
      inside: fc.array(tie("piece"), { minLength: 2, maxLength: 4 }),
      pick,
    }),
    fc.record({
      type: fc.constant("child_database"),
      inside: fc.array(tie("piece"), { maxLength: 2 }),
      properties: fc.subarray([...PROPERTIES]),
      pick,
    }),
  ),
})).piece;

/** One of each piece, in two forms. */
export const EVERY_PIECE: readonly Piece[] = [0, 1].flatMap((form) => [
  ...HOLDERS.map((type) => ({ type, inside: [{ type: "paragraph", inside: [], pick: form }], pick: form })),
  ...LISTS.map((type) => ({
    type,
    inside: [0, 1].map(() => ({ type: "quote", inside: [], pick: form })),
    pick: form,
  })),
  {
    type: "child_database",
    inside: [{ type: "to_do", inside: [], pick: form }],
    pick: form,
    properties: PROPERTIES,
  },
  ...[...LEAVES, ...REFERENCES].map((type) => ({ type, inside: [], pick: form })),
]);

/** Writes a page at the top of the workspace, and everything on it, an hour after the one before. Returns its id. */
export function writePage(
  { simulator: { world }, workspaceId }: RestoreBench,
  { title, hour }: { title: string; hour: number },
  pieces: readonly Piece[],
): string {
  const kit = seedKit(world, workspaceId, Date.now() + hour * 3_600_000);
  const by = world.state.people[0]!.id;
  const root = kit.page(by, null, title).id;
  const pages: string[] = [root];
  const tables: TestTable[] = [];
  const originals: string[] = [];
  const noted: string[] = [root];
  const from = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];
  const write = (parentId: string, piece: Piece): void => {
    const { type, inside, pick: at } = piece;
    const words = `${type} ${at}`;
    if (type === "comment") return void kit.comment(by, from(noted, at)!, words);
    if (type === "child_database") {
      const { rowIds } = writeTable(kit, { by, parentId, at, properties: piece.properties ?? [] }, tables);
      for (const each of inside) write(rowIds[0]!, each);
      return;
    }
    if (type === "table") {
      kit.table(by, parentId, [
        ["a", words],
        ["b", ""],
      ]);
      return;
    }
    if (type === "column_list" || type === "tab") {
      const list = kit.block(by, parentId, type, {}).id;
      const item = () =>
        type === "tab" ? kit.write(by, list, "paragraph", words).id : kit.block(by, list, "column", {}).id;
      for (const each of inside) write(item(), each);
      return;
    }
    if (type === "child_page") {
      const more = [{}, { icon: { type: "emoji", emoji: "❄️" }, isLocked: true }][at % 2];
      const made = kit.page(by, parentId, words, more).id;
      pages.push(made);
      noted.push(made);
      for (const each of inside) write(made, each);
      return;
    }
    const made = writeBlock(parentId, piece, words);
    if (made === null) return;
    if (type !== "copy") noted.push(made);
    for (const each of inside) write(made, each);
    // A copy cannot stand in its own original.
    if (type === "synced_block") originals.push(made);
  };
  const writeBlock = (parentId: string, { type, inside, pick: at }: Piece, words: string): string | null => {
    const block = (payload: Record<string, Json>, as = type) => kit.block(by, parentId, as, payload).id;
    const target = from(pages, at)!;
    const original = from(originals, at);
    switch (type) {
      case "synced_block": {
        const made = block({ synced_from: null });
        if (inside.length === 0) kit.write(by, made, "paragraph", words);
        return made;
      }
      case "copy":
        if (original === undefined) return null;
        return block({ synced_from: { type: "block_id", block_id: original } }, "synced_block");
      case "mention":
        return kit.write(by, parentId, "paragraph", [text(words), pageMention(world, target, "there")]).id;
      case "link_to_page": {
        const table = at % 2 === 0 ? undefined : from(tables, at);
        if (table === undefined) return block({ type: "page_id", page_id: target });
        return block({ type: "database_id", database_id: table.databaseId });
      }
      case "image":
      case "video":
      case "audio":
      case "pdf":
      case "file": {
        const name = `${words}.txt`;
        const external = { type: "external", external: { url: `https://files.example/${at}` } };
        const kept = () => kit.file(name, "text/plain", new TextEncoder().encode(words));
        return block({
          ...(at % 2 === 0 ? kept() : external),
          caption: [],
          ...(type === "file" && { name }),
        });
      }
      case "code":
        return block({ rich_text: [text("x".repeat(1 + at * 60))], caption: [text(words)], language: "sql" });
      case "equation":
        return block({ expression: words });
      case "bookmark":
      case "embed":
        return block({ url: `https://seen.example/${at}`, caption: [text(words)] });
      case "link_preview":
        return block({ url: `https://seen.example/${at}` });
      case "unsupported":
        return block({ block_type: ["form", "button", "ai_block"][at % 3]! });
      case "transcription":
        return block({ title: [text(words)], status: "notes_ready" });
      case "template":
        return block({ rich_text: [text(words)] });
      case "table_of_contents":
        return block({ color: "gray" });
      case "divider":
      case "breadcrumb":
        return block({});
      default:
        return kit.write(by, parentId, type, words, moreOf(type, { isOpen: inside.length > 0, at })).id;
    }
  };
  for (const each of pieces) write(root, each);
  return root;
}

/** What a block with a text says besides it. */
function moreOf(type: string, { isOpen, at }: { isOpen: boolean; at: number }): Record<string, Json> {
  if (type === "to_do") return { checked: at % 2 === 0 };
  if (type === "callout") return { icon: at % 2 === 0 ? null : { type: "emoji", emoji: "⚠️" } };
  if (type.startsWith("heading_")) return { is_toggleable: isOpen };
  return at % 3 === 0 ? { color: "blue_background" } : {};
}
