import type { Json } from "#core/kernel/canonical-json.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { plainText, shownChildren, titleOf } from "./simulator/render.ts";
import type { Fields, NotionWorld } from "./simulator/state.ts";
import { ancestors, findThing, isInTrash } from "./simulator/store.ts";

/** What a workspace or a version of it holds, in a form in which both can be compared: sorted lines. */
export type Truth = Record<"roots" | "pages" | "blocks" | "comments" | "files" | "tables", string[]>;

const nothing = (): Truth => ({ roots: [], pages: [], blocks: [], comments: [], files: [], tables: [] });

/** What Notion shows of the things that a grant covers, read from the simulator's state without its API. */
export function truthOfWorld(world: NotionWorld, rootIds: readonly string[]): Truth {
  const truth = nothing();
  const { state } = world;
  const visit = (id: string, above: string): void => {
    if (isInTrash(world, id)) return;
    const found = findThing(world, id);
    if (found === null) return;
    for (const each of state.commentsOn[id] ?? []) {
      const comment = state.comments[each]!;
      if (comment.isResolved) continue;
      truth.comments.push(`${id} ${each} ${plainText(comment.richText)}`);
      noteFiles(world, comment.attachments, truth.files);
    }
    noteFiles(world, found.thing as unknown as Json, truth.files);
    if (found.kind === "page") {
      const { kind, parent } = found.thing;
      truth.pages.push(
        `${kind} ${id} in ${"id" in parent ? parent.id : "workspace"}: ${titleOf(found.thing)}`,
      );
    }
    if (found.kind === "block") {
      const { type, payload } = found.thing;
      truth.blocks.push(blockLine(id, above, type, payload));
    }
    if (found.kind === "database") {
      for (const sourceId of found.thing.dataSourceIds) {
        const source = state.dataSources[sourceId]!;
        if (source.isTrashed) continue;
        truth.tables.push(`${id} ${sourceId}: ${plainText(source.title)}`);
        for (const row of [...source.rowIds, ...source.templateIds]) visit(row, sourceId);
      }
    }
    for (const child of shownChildren(world, id)) visit(child, id);
  };
  for (const id of rootIds) {
    visit(id, "");
    const isTop = !ancestors(world, id).some((above) => rootIds.includes(above));
    if (isTop && !isInTrash(world, id) && findThing(world, id) !== null) truth.roots.push(id);
  }
  for (const { workspaceId, fileId } of Object.values(state.emojis)) {
    const isHere = rootIds.some((id) => findThing(world, id)?.thing.workspaceId === workspaceId);
    if (isHere) truth.files.push(state.files[fileId]!.sha256);
  }
  return sorted({ ...truth, comments: [...new Set(truth.comments)] });
}

/** The same of a version. What a copy shows of its original stands below the copy too, in both. */
export async function truthOfVersion(snapshot: MemorySnapshot): Promise<Truth> {
  const truth = nothing();
  for (const { info } of snapshot.entries.values()) {
    if (info.kind === "file") truth.files.push(info.hash);
    const record = readsAsRecord(info.kind) ? ((await snapshot.readRecord(info.path)) as Fields) : {};
    const { id } = record as { id: string };
    const parent = record.parent as Fields | undefined;
    const parentId = parent === undefined ? "" : String(parent[String(parent.type)]);
    switch (info.kind) {
      case "page":
      case "row":
      case "template": {
        const place = parent?.type === "workspace" ? "workspace" : parentId;
        truth.pages.push(`${info.kind} ${id} in ${place}: ${titleOfRecord(record)}`);
        break;
      }
      case "blocks":
        for (const block of record.blocks as Fields[]) {
          if (block.type === "child_page" || block.type === "child_database") continue;
          const above = block.parent as Fields;
          const type = String(block.type);
          truth.blocks.push(
            blockLine(String(block.id), String(above[String(above.type)]), type, block[type] as Fields),
          );
        }
        break;
      case "roots":
        truth.roots = (record.roots as { id: string }[]).map(({ id: root }) => root);
        break;
      case "comment":
        truth.comments.push(`${parentId} ${id} ${plainText(record.rich_text ?? [])}`);
        break;
      case "data-source":
        truth.tables.push(`${parentId} ${id}: ${plainText(record.title ?? [])}`);
    }
  }
  return sorted(truth);
}

const readsAsRecord = (kind: string) =>
  ["page", "row", "template", "blocks", "roots", "comment", "data-source"].includes(kind);

const blockLine = (id: string, parentId: string, type: string, payload: Fields): string =>
  `${parentId} ${id} ${type} ${plainText(payload.rich_text ?? [])}`;

function titleOfRecord({ properties }: Fields): string {
  const title = Object.values(properties as Fields).find((value) => (value as Fields).type === "title");
  return plainText((title as Fields | undefined)?.title ?? []);
}

function noteFiles(world: NotionWorld, value: Json, into: string[]): void {
  if (value === null || typeof value !== "object") return;
  const fileId = Array.isArray(value) ? undefined : value.file_id;
  if (typeof fileId === "string") into.push(world.state.files[fileId]!.sha256);
  else for (const each of Object.values(value)) noteFiles(world, each, into);
}

const sorted = (truth: Truth): Truth =>
  Object.fromEntries(Object.entries(truth).map(([name, lines]) => [name, lines.toSorted()])) as Truth;
