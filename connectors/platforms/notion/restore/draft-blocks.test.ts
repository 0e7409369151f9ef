import { expect, test } from "vitest";
import type { StoredBlock } from "../records.ts";
import type { BlockTree } from "./block-trees.ts";
import { type DraftContext, draftBlocks } from "./draft-blocks.ts";
import { plainText } from "./rich-text.ts";

/** A block with what is in it. */
function tree(type: string, value: object = {}, children: BlockTree[] = []): BlockTree {
  const id = `${type} ${JSON.stringify(value).length} ${children.length}`;
  return { block: { object: "block", id, type, [type]: value } as unknown as StoredBlock, children };
}

const words = (content: string) => [{ type: "text", text: { content, link: null }, plain_text: content }];

function draft(from: BlockTree) {
  const losses: string[] = [];
  const copies: string[] = [];
  const context: DraftContext = {
    ...{ newId: () => null, hasEmoji: () => true },
    told: (loss) => void losses.push(loss),
    later: ({ originalId }) => void copies.push(originalId),
  };
  return { drafts: draftBlocks(from, context), losses, copies };
}

test("a text of more than 100 pieces goes on in blocks below, and nothing is lost", () => {
  const items = Array.from({ length: 250 }, (_, at) => words(`${at} `)[0]!);
  const { drafts, losses } = draft(tree("quote", { rich_text: items, color: "default" }));
  expect(drafts.map(({ type }) => type)).toEqual(["quote", "paragraph", "paragraph"]);
  expect(drafts.map(({ value }) => plainText(value.rich_text)).join("")).toBe(plainText(items));
  expect(losses).toEqual(["long"]);
});

test("what is in a block that takes no children follows it", () => {
  const heading = tree("heading_1", { rich_text: words("Closed"), is_toggleable: false }, [tree("divider")]);
  expect(draft(heading).drafts.map(({ type, children }) => [type, children.length])).toEqual([
    ["heading_1", 0],
    ["divider", 0],
  ]);
  const folded = tree("heading_1", { rich_text: words("Open"), is_toggleable: true }, [tree("divider")]);
  expect(draft(folded).drafts.map(({ children }) => children.length)).toEqual([1]);
});

test("a list of columns with a single one leaves its content", () => {
  const list = tree("column_list", {}, [tree("column", {}, [tree("divider"), tree("breadcrumb")])]);
  expect(draft(list).drafts.map(({ type }) => type)).toEqual(["divider", "breadcrumb"]);
});

test("rows of a table are as wide as the table", () => {
  const row = (...cells: string[]) => tree("table_row", { cells: cells.map(words) });
  const table = tree("table", { table_width: 2 }, [row("a"), row("b", "c", "d")]);
  const [made] = draft(table).drafts;
  expect(made?.value.table_width).toBe(3);
  expect(made?.children.map(({ value }) => (value.cells as unknown[]).length)).toEqual([3, 3]);
});

test("blocks that the API cannot make leave a note, and keep what is in them", () => {
  const { drafts, losses } = draft(tree("unsupported", { block_type: "form" }, [tree("divider")]));
  expect(plainText(drafts[0]?.value.rich_text)).toBe("A form was here.");
  expect(drafts[0]?.children.map(({ type }) => type)).toEqual(["divider"]);
  expect(losses).toEqual(["unsupported"]);
});

test("a synced copy waits for its original, and a preview becomes a bookmark", () => {
  const copy = draft(tree("synced_block", { synced_from: { type: "block_id", block_id: "original" } }));
  expect([copy.copies, copy.drafts[0]?.type]).toEqual([["original"], "paragraph"]);
  const preview = draft(tree("link_preview", { url: "https://github.example/7" }));
  expect(preview.drafts[0]).toMatchObject({ type: "bookmark", value: { url: "https://github.example/7" } });
});

test("a file whose bytes the version lacks leaves a note with its name", () => {
  const { drafts, losses } = draft(
    tree("pdf", { type: "file", file: { address: "x", path: null }, name: "tariff.pdf" }),
  );
  expect(plainText(drafts[0]?.value.rich_text)).toContain("tariff.pdf was here");
  expect(losses).toEqual(["fileMissing"]);
});
