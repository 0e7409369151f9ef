import type { JsonObject } from "./json-parts.ts";

/** A block to write, without its place. */
export type DraftBlock = {
  /** Names the block while its page is filled: the id in the version, or one made up for an added block. */
  ref: string;
  type: string;
  /** The member named like the type, without children. */
  value: JsonObject;
  /** Files of the version to upload and to show: of the block itself, and of its icon. */
  file?: string;
  icon?: string;
  children: DraftBlock[];
};

/** A block in a request, with those of its children that the same request creates. */
export type InlineBlock = { draft: DraftBlock; children: InlineBlock[] };

/** One request that appends blocks. */
export type AppendRequest = {
  /** The block to append to; null = the page. */
  parent: string | null;
  /** Children that earlier requests gave the parent. */
  before: number;
  blocks: InlineBlock[];
  /** Blocks inside others whose new ids later requests need. */
  wanted: string[];
  /** A block that only held a place in the parent until now, and goes. */
  removes: string | null;
};

/**
 * Limits of a request (developers.notion.com, "Append block children" and "Request limits"). 500 KB are allowed; the
 * rest is for the frame of the request. Its files are uploaded right before it, so few of them are repeated with it.
 */
export const REQUEST_LIMITS = { children: 100, blocks: 1_000, bytes: 450_000, depth: 2, files: 20 } as const;

/** Blocks that a request creates only together with children (`@notionhq/client` 5.26.0, `BlockObjectRequest`). */
const NEEDS_CHILDREN = new Set(["column_list", "column", "table", "tab"]);
/** A block's frame in JSON: braces, type, commas. */
const FRAME_BYTES = 64;

/**
 * Collects blocks that follow each other in a page, or in a block, into requests within the limits. Children that do
 * not fit follow in requests of their own, behind those that did, so that every order is kept.
 */
export type Splitter = {
  /** Takes the next block; returns the requests that are complete. */
  push(draft: DraftBlock): AppendRequest[];
  /** Ends the current request. */
  flush(): AppendRequest[];
};

type Budget = { blocks: number; bytes: number; files: number };
/** Children that did not fit into the request of their parent. */
type Rest = { parent: string; before: number; drafts: readonly DraftBlock[]; removes: string | null };
type Open = AppendRequest & { budget: Budget; rests: Rest[] };

/** @param before Children that the parent has already. */
export function openSplitter(parent: string | null, before = 0): Splitter {
  let open = begin(parent, before);
  let count = before;
  const flush = () => {
    if (open.blocks.length === 0) return [];
    const done = complete(open);
    open = begin(parent, count);
    return done;
  };
  return {
    push(draft) {
      const ended: AppendRequest[] = [];
      const isFull = open.blocks.length === REQUEST_LIMITS.children;
      if (open.blocks.length > 0 && (isFull || !fits(leastOf(draft, 0), open.budget))) ended.push(...flush());
      open.blocks.push(place(draft, 0, open));
      count += 1;
      return ended;
    },
    flush,
  };
}

/** All requests for blocks that follow each other. */
export function splitBlocks(
  drafts: readonly DraftBlock[],
  parent: string | null,
  before = 0,
): AppendRequest[] {
  const splitter = openSplitter(parent, before);
  return [...drafts.flatMap((draft) => splitter.push(draft)), ...splitter.flush()];
}

function begin(parent: string | null, before: number): Open {
  const { blocks, bytes, files } = REQUEST_LIMITS;
  const budget = { blocks, bytes, files };
  return { parent, before, blocks: [], wanted: [], removes: null, budget, rests: [] };
}

function complete({ budget: _budget, rests, ...request }: Open): AppendRequest[] {
  const later = rests.flatMap(({ drafts, parent, before, removes }) => {
    const requests = splitBlocks(drafts, parent, before);
    // Its own children come first in the list: the last request of the parent itself removes the place holder.
    const last = requests.findLast((each) => each.parent === parent);
    if (last !== undefined) last.removes = removes;
    return requests;
  });
  return [request, ...later];
}

/** Takes a block into the open request, with as many of its children as fit. */
function place(draft: DraftBlock, depth: number, open: Open): InlineBlock {
  pay(draft, open.budget);
  if (draft.type === "column_list") return placeColumns(draft, open);
  const children: InlineBlock[] = [];
  for (const child of draft.children) {
    const isFull = children.length === REQUEST_LIMITS.children;
    if (isFull || !mayNest(child, depth + 1) || !fits(leastOf(child, depth + 1), open.budget)) break;
    children.push(place(child, depth + 1, open));
  }
  postpone(draft, children.length, open);
  return { draft, children };
}

/** All columns are created together, each with its first block or with an empty one that holds the place. */
function placeColumns(list: DraftBlock, open: Open): InlineBlock {
  const columns = list.children.map((column) => {
    pay(column, open.budget);
    const [first] = column.children;
    if (first === undefined || mayNest(first, 2)) {
      const child = first ?? emptyBlock(`${column.ref}:empty`);
      const inline = place(child, 2, open);
      postpone(column, 1, open);
      return { draft: column, children: [inline] };
    }
    const holder = emptyBlock(`${column.ref}:holder`);
    open.wanted.push(column.ref, holder.ref);
    open.rests.push({ parent: column.ref, before: 1, drafts: column.children, removes: holder.ref });
    return { draft: column, children: [place(holder, 2, open)] };
  });
  return { draft: list, children: columns };
}

function postpone(draft: DraftBlock, placed: number, open: Open): void {
  if (placed >= draft.children.length) return;
  open.wanted.push(draft.ref);
  open.rests.push({ parent: draft.ref, before: placed, drafts: draft.children.slice(placed), removes: null });
}

/** Whether a block may be created inside another of the same request, `depth` levels below the first. */
function mayNest({ type }: DraftBlock, depth: number): boolean {
  if (depth > REQUEST_LIMITS.depth || type === "column_list" || type === "column") return false;
  return depth < REQUEST_LIMITS.depth || !NEEDS_CHILDREN.has(type);
}

/** What a block takes at least: itself, and the children that it cannot be created without. */
function leastOf(draft: DraftBlock, depth: number): Budget {
  const least = { blocks: 1, bytes: bytesOf(draft), files: filesOf(draft) };
  if (!NEEDS_CHILDREN.has(draft.type)) return least;
  const first = draft.type === "column_list" ? draft.children : draft.children.slice(0, 1);
  for (const child of first) {
    const { blocks, bytes, files } = leastOf(child, depth + 1);
    least.blocks += blocks;
    least.bytes += bytes;
    least.files += files;
  }
  return least;
}

function fits({ blocks, bytes, files }: Budget, budget: Budget): boolean {
  return blocks <= budget.blocks && bytes <= budget.bytes && files <= Math.max(0, budget.files);
}

function pay(draft: DraftBlock, budget: Budget): void {
  budget.blocks -= 1;
  budget.bytes -= bytesOf(draft);
  budget.files -= filesOf(draft);
}

const filesOf = ({ file, icon }: DraftBlock) => Number(file !== undefined) + Number(icon !== undefined);

const encoder = new TextEncoder();

function bytesOf({ value }: DraftBlock): number {
  return encoder.encode(JSON.stringify(value)).length + FRAME_BYTES;
}

/** An empty paragraph. */
export function emptyBlock(ref: string): DraftBlock {
  return { ref, type: "paragraph", value: { rich_text: [] }, children: [] };
}

/** A block as the request holds it. */
export function blockBody({ draft: { type, value }, children }: InlineBlock): JsonObject {
  const nested = children.map(blockBody);
  return { type, [type]: nested.length === 0 ? value : { ...value, children: nested } };
}
