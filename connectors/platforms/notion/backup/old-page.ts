import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordPaths } from "../record-paths.ts";
import type { Work } from "./workspace-run.ts";

/** What the previous version has of a page, row or template. */
export type OldPage = {
  entries: EntryInfo[];
  /** Addresses of its files by path. */
  files: Map<string, string>;
  /** Pages and databases directly below it. */
  children: { kind: "page" | "database"; id: string }[];
  /** Comments on the page itself, and by block. */
  comments: { path: string; blockId: string | null; files: string[] }[];
  /** Blocks that Notion's API does not support. */
  unsupported: number;
};

/** The count of blocks that Notion's API does not support, beside those of entries. */
export const UNSUPPORTED = "unsupported";

const blocksRecord = z.object({ blocks: z.array(z.looseObject({ id: z.string(), type: z.string() })) });
const commentRecord = z.looseObject({ parent: z.looseObject({ block_id: z.string().optional() }) });

const NOTHING: OldPage = { entries: [], files: new Map(), children: [], comments: [], unsupported: 0 };

/** Reads what the previous version has below a home, or below one of its folders. */
export async function readOldPage(
  previous: SnapshotView | null,
  home: string,
  folder: string = home,
): Promise<OldPage> {
  if (previous === null) return NOTHING;
  const old: OldPage = { entries: [], files: new Map(), children: [], comments: [], unsupported: 0 };
  for await (const entry of previous.list(folder)) old.entries.push(entry);
  for (const { path, type } of old.entries) {
    if (type === "stream" || path === recordPaths.look(home)) continue;
    const value = await previous.readRecord(path);
    const files = storedFiles(value);
    for (const [file, address] of files) old.files.set(file, address);
    if (path.startsWith(recordPaths.blocksOf(home))) {
      old.children.push(...childrenOf(value));
      old.unsupported += unsupportedIn(value);
    } else if (path.startsWith(recordPaths.commentsOf(home))) {
      const blockId = commentRecord.safeParse(value).data?.parent.block_id ?? null;
      old.comments.push({ path, blockId, files: files.map(([file]) => file) });
    }
  }
  return old;
}

function childrenOf(value: Json): OldPage["children"] {
  const blocks = blocksRecord.safeParse(value).data?.blocks ?? [];
  return blocks.flatMap(({ id, type }): OldPage["children"] => {
    if (type === "child_page") return [{ kind: "page", id }];
    return type === "child_database" ? [{ kind: "database", id }] : [];
  });
}

/** How many blocks of a record Notion's API does not support. */
export function unsupportedIn(value: Json): number {
  const blocks = blocksRecord.safeParse(value).data?.blocks ?? [];
  return blocks.filter(({ type }) => type === "unsupported").length;
}

/** Path and address of each file in a record. */
export function storedFiles(value: Json): [string, string][] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap(storedFiles);
  const { address, path } = value;
  if (typeof address === "string" && typeof path === "string") return [[path, address]];
  return Object.values(value).flatMap(storedFiles);
}

/** Removes what the previous version has of a page, except its comments. What is read afterwards takes its place. */
export function* clearPage(work: Work, home: string, old: OldPage): Generator<BackupEvent, void> {
  const comments = new Set(old.comments.flatMap(({ path, files }) => [path, ...files]));
  for (const { path, kind } of old.entries) {
    if (comments.has(path) || path === recordPaths.look(home)) continue;
    yield { type: "drop", path };
    work.count(kind, -1);
  }
  work.count(UNSUPPORTED, -old.unsupported);
}

/** Removes a page from the version, or a table with its rows, and everything that belongs to it. */
export async function* dropHome(work: Work, home: string): AsyncGenerator<BackupEvent, void> {
  if (work.previous === null || isDropped(work, home)) return;
  for await (const { path, kind } of work.previous.list(home)) {
    if (isDropped(work, homeOf(path))) continue;
    yield { type: "drop", path };
    work.count(kind, -1);
    if (kind === "blocks") work.count(UNSUPPORTED, -unsupportedIn(await work.previous.readRecord(path)));
  }
  work.dropped.add(home);
}

/** Whether this run removed what the previous version has below a home. */
export function isDropped({ dropped }: Work, home: string): boolean {
  const [first, second] = home.split("/");
  return dropped.has(home) || dropped.has(`${first}/${second}/`);
}

/** The folder of the page, row, template, database or data source that a path belongs to. */
function homeOf(path: string): string {
  const steps = path.split("/");
  const isRow = steps[0] === "sources" && (steps[2] === "rows" || steps[2] === "templates");
  return `${steps.slice(0, isRow ? 4 : 2).join("/")}/`;
}

/** The id in the path of a home, or of the record of what has this home. */
export function idOfHome(home: string): string {
  return home.split("/").at(-2) ?? "";
}

/** The home of a page that the previous version has, also if it is a row or template there; null = it has none. */
export async function findOldHome(previous: SnapshotView | null, pageId: string): Promise<string | null> {
  if (previous === null) return null;
  const own = recordPaths.pageHome(pageId);
  if ((await previous.find(recordPaths.page(own))) !== null) return own;
  for await (const { id } of oldSources(previous)) {
    for (const home of [recordPaths.rowHome(id, pageId), recordPaths.templateHome(id, pageId)])
      if ((await previous.find(recordPaths.page(home))) !== null) return home;
  }
  return null;
}

/** The data sources of the previous version, without reading what is below them. */
export async function* oldSources(previous: SnapshotView): AsyncGenerator<{ id: string }, void> {
  let after: string | undefined;
  for (;;) {
    let id: string | null = null;
    for await (const { path } of previous.list(recordPaths.sources, after)) {
      id = path.split("/")[1] ?? null;
      break;
    }
    if (id === null) return;
    if ((await previous.find(recordPaths.source(id))) !== null) yield { id };
    // Behind everything below the folder: no path has a higher character there.
    after = `${recordPaths.sourceHome(id)}\u{10FFFF}`;
  }
}
