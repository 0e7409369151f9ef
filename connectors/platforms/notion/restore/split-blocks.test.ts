import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AppendRequest,
  blockBody,
  type DraftBlock,
  type InlineBlock,
  openSplitter,
  REQUEST_LIMITS,
  splitBlocks,
} from "./split-blocks.ts";

/** A block as Notion would hold it after the requests. */
type Made = { ref: string; type: string; children: Made[] };

const LEAVES = ["paragraph", "heading_2", "to_do", "toggle", "callout", "synced_block"] as const;
let counted = 0;

const leaf: fc.Arbitrary<DraftBlock> = fc
  .record({
    type: fc.constantFrom(...LEAVES),
    length: fc.constantFrom(0, 5, 2_000, 60_000),
    hasFile: fc.boolean(),
  })
  .map(({ type, length, hasFile }) => ({ ...draft(type, [], length), ...(hasFile && { file: "a" }) }));

const tree: fc.Arbitrary<DraftBlock> = fc.letrec<{ tree: DraftBlock }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom(...LEAVES), fc.array(tie("tree"), { minLength: 1, maxLength: 6 }))
      .map(([type, children]) => draft(type, children)),
    fc.integer({ min: 1, max: 130 }).map((rows) =>
      draft(
        "table",
        many(rows, () => draft("table_row", [])),
      ),
    ),
    fc.array(fc.array(tie("tree"), { maxLength: 3 }), { minLength: 2, maxLength: 4 }).map((columns) =>
      draft(
        "column_list",
        columns.map((children) => draft("column", children)),
      ),
    ),
    fc.array(fc.array(tie("tree"), { maxLength: 3 }), { minLength: 1, maxLength: 3 }).map((items) =>
      draft(
        "tab",
        items.map((children) => draft("paragraph", children)),
      ),
    ),
    fc.integer({ min: 90, max: 220 }).map((count) =>
      draft(
        "toggle",
        many(count, () => draft("paragraph", [])),
      ),
    ),
  ),
})).tree;

test("any tree of blocks is split into requests within the limits that rebuild exactly the tree", () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 12 }), (drafts) => {
      const requests = splitBlocks(drafts, null);
      for (const request of requests) expectWithinLimits(request);
      expect(madeBy(requests)).toEqual(drafts.map(shapeOf));
    }),
    { numRuns: 15 },
  );
});

test("equal blocks are split equally, however they arrive", () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 8 }), (drafts) => {
      const splitter = openSplitter(null);
      const requests: AppendRequest[] = [];
      for (const each of drafts) requests.push(...splitter.push(each));
      requests.push(...splitter.flush());
      expect(requests).toEqual(splitBlocks(drafts, null));
    }),
    { numRuns: 5 },
  );
});

test("a thousand blocks side by side take ten requests, and a page of nested ones a single request", () => {
  expect(
    splitBlocks(
      many(1_000, () => draft("paragraph", [])),
      null,
    ),
  ).toHaveLength(10);
  const nested = draft("toggle", [draft("toggle", [draft("paragraph", [])])]);
  expect(splitBlocks([nested], null)).toHaveLength(1);
});

test("a request has at most twenty files", () => {
  const pictures = many(45, () => ({ ...draft("image", []), file: "a" }));
  expect(splitBlocks(pictures, null).map(({ blocks }) => blocks.length)).toEqual([20, 20, 5]);
});

test("the fourth level follows in a request to its parent, which knows how many children that has", () => {
  const deep = draft("toggle", [
    draft("toggle", [draft("toggle", [draft("paragraph", []), draft("paragraph", [])])]),
  ]);
  const [first, second] = splitBlocks([deep], null);
  const parent = deep.children[0]!.children[0]!.ref;
  expect(first!.wanted).toEqual([parent]);
  expect([second!.parent, second!.before, second!.blocks.length]).toEqual([parent, 0, 2]);
});

function draft(type: string, children: DraftBlock[], length = 5): DraftBlock {
  counted += 1;
  const rich_text = [{ type: "text", text: { content: "x".repeat(length) } }];
  return { ref: `b${counted}`, type, value: { rich_text }, children };
}

function many<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/** An empty column gets an empty paragraph, because Notion makes none without a block. */
function shapeOf({ ref, type, children }: DraftBlock): Made {
  const shapes = children.map(shapeOf);
  if (type === "column" && shapes.length === 0) {
    return { ref, type, children: [{ ref: `${ref}:empty`, type: "paragraph", children: [] }] };
  }
  return { ref, type, children: shapes };
}

/** Carries the requests out as Notion would: each appends to the end of its parent. */
function madeBy(requests: readonly AppendRequest[]): Made[] {
  const page: Made[] = [];
  const known = new Map<string, Made>();
  const make = ({ draft: { ref, type }, children }: InlineBlock): Made => {
    const made = { ref, type, children: children.map(make) };
    known.set(ref, made);
    return made;
  };
  for (const { parent, before, blocks, removes } of requests) {
    const list = parent === null ? page : known.get(parent)!.children;
    expect(list).toHaveLength(before);
    list.push(...blocks.map(make));
    if (removes !== null)
      list.splice(
        list.findIndex(({ ref }) => ref === removes),
        1,
      );
  }
  return page;
}

function expectWithinLimits(request: AppendRequest): void {
  let count = 0;
  let files = 0;
  const visit = (blocks: readonly InlineBlock[], depth: number) => {
    expect(blocks.length).toBeLessThanOrEqual(REQUEST_LIMITS.children);
    for (const {
      draft: { type, file },
      children,
    } of blocks) {
      count += 1;
      files += file === undefined ? 0 : 1;
      expect(depth).toBeLessThanOrEqual(REQUEST_LIMITS.depth);
      if (type === "column_list") expect([depth, children.length > 1]).toEqual([0, true]);
      if (["table", "tab", "column"].includes(type)) expect(children.length).toBeGreaterThan(0);
      visit(children, depth + 1);
    }
  };
  visit(request.blocks, 0);
  expect(count).toBeLessThanOrEqual(REQUEST_LIMITS.blocks);
  expect(files).toBeLessThanOrEqual(REQUEST_LIMITS.files);
  const body = request.blocks.map((block) => blockBody(block));
  expect(JSON.stringify({ children: body }).length).toBeLessThanOrEqual(500_000);
}
