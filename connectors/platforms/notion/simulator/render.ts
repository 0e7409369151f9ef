import type { Json } from "#core/kernel/canonical-json.ts";
import { plainId } from "./ids.ts";
import { renderValues } from "./properties/render-values.ts";
import { signFiles } from "./sign-files.ts";
import type {
  Comment,
  Database,
  DataSource,
  Fields,
  FileUpload,
  NotionWorld,
  Page,
  Parent,
  View,
} from "./state.ts";
import { childrenOf, findThing, isInTrash, wholeMinute } from "./store.ts";

/** Objects in the form of the API's answers, version 2025-09-03. Evidence: the recordings, and the contract's schemas. */

/**
 * Long values in a page are cut to this number of items. Source: the documentation of "Retrieve a page", 25 references.
 * No recording has a longer value, so nothing proves for which types this holds, nor that only relations set `has_more`.
 */
export const INLINE_ITEMS = 25;

/** A page, row or template. Without `names`, all its properties; with them, those that have one of these ids. */
export function renderPage(world: NotionWorld, page: Page, ids: readonly string[] = []): Fields {
  const values = Object.entries(renderValues(world, page)) as [string, Fields][];
  const wanted = values.filter(([, value]) => ids.length === 0 || ids.includes(String(value.id)));
  const isTrashed = shownTrash(world, page);
  return {
    ...{ object: "page", id: page.id, ...minuteStamps(page), ...peopleOf(page) },
    ...{ cover: signFiles(world, page.cover), icon: signFiles(world, page.icon) },
    ...{ parent: renderParent(world, page.parent), in_trash: isTrashed, is_archived: isTrashed },
    is_locked: page.isLocked,
    properties: Object.fromEntries(wanted.map(([name, value]) => [name, signFiles(world, cut(value))])),
    ...{ url: pageUrl(world, page.id, titleOf(page)), public_url: page.publicUrl, archived: isTrashed },
  };
}

/** A block; a page or database that stands among blocks is shown as one. */
export function renderBlock(world: NotionWorld, id: string): Fields {
  const found = findThing(world, id);
  if (found === null || found.kind === "data-source") throw new Error(`There is no block ${id}`);
  const { kind, thing } = found;
  const isTrashed = shownTrash(world, thing);
  const content: Fields =
    kind === "block"
      ? { type: thing.type, [thing.type]: signFiles(world, thing.payload) }
      : kind === "page"
        ? { type: "child_page", child_page: { title: titleOf(thing) } }
        : { type: "child_database", child_database: { title: plainText(databaseTitle(world, thing)) } };
  return {
    ...{ object: "block", id, parent: renderParent(world, thing.parent), ...minuteStamps(thing) },
    ...{ ...peopleOf(thing), has_children: shownChildren(world, id).length > 0, in_trash: isTrashed },
    ...{ ...content, archived: isTrashed },
  };
}

/**
 * The ids of the blocks that stand below a block or page. The copy of a synced block shows those of its original.
 * Evidence that `has_children` is true for copies: clients that fetch the original's blocks instead (`notion-to-md`). That
 * the call for the copy's own children gives them too, and with the original's ids, is unproven.
 */
export function shownChildren(world: NotionWorld, id: string): string[] {
  const block = world.state.blocks[id];
  const from = block?.type === "synced_block" ? (block.payload.synced_from as Fields | null) : null;
  return childrenOf(world, from ? String(from.block_id) : id);
}

export function renderDatabase(world: NotionWorld, database: Database): Fields {
  const isTrashed = shownTrash(world, database);
  const sources = database.dataSourceIds.map((id) => world.state.dataSources[id]!);
  return {
    ...{ object: "database", id: database.id, title: databaseTitle(world, database) },
    ...{ description: database.description, parent: renderDatabaseParent(world, database) },
    ...{ is_inline: database.isInline, in_trash: isTrashed, is_locked: database.isLocked },
    ...exactStamps(database),
    data_sources: sources
      .filter((source) => !source.isTrashed)
      .map(({ id, title }) => ({ id, name: plainText(title) })),
    ...{ icon: signFiles(world, database.icon), cover: signFiles(world, database.cover) },
    ...{ url: pageUrl(world, database.id), public_url: database.publicUrl, archived: isTrashed },
  };
}

/** A database in a wiki names the wiki's database. Source: contract, `ParentOfDatabaseResponse` has no data source. */
function renderDatabaseParent(world: NotionWorld, { parent }: Database): Json {
  const wiki = parent.type === "data_source_id" ? world.state.dataSources[parent.id] : undefined;
  return wiki === undefined
    ? renderParent(world, parent)
    : { type: "database_id", database_id: wiki.databaseId };
}

export function renderDataSource(world: NotionWorld, source: DataSource): Fields {
  const database = world.state.databases[source.databaseId]!;
  const isTrashed = shownTrash(world, source);
  return {
    ...{ object: "data_source", id: source.id, cover: signFiles(world, database.cover) },
    ...{ icon: signFiles(world, source.icon), ...minuteStamps(source), ...peopleOf(source) },
    ...{ title: source.title, description: source.description, is_inline: database.isInline },
    properties: Object.fromEntries(
      Object.values(source.properties).map((property) => [String(property.name), property]),
    ),
    parent: { type: "database_id", database_id: database.id },
    database_parent: renderDatabaseParent(world, database),
    ...{ url: pageUrl(world, database.id), public_url: database.publicUrl },
    ...{ in_trash: isTrashed, archived: isTrashed },
  };
}

export function renderView(world: NotionWorld, view: View): Fields {
  const { filter = null, sorts = null, quick_filters = null, configuration = null, ...own } = view.body;
  return {
    ...{ object: "view", id: view.id, parent: { type: "database_id", database_id: view.databaseId } },
    ...{ data_source_id: view.dataSourceId, ...own, ...exactStamps(view), ...peopleOf(view) },
    url: `${pageUrl(world, view.databaseId)}?v=${plainId(view.id)}`,
    ...{ filter, sorts, quick_filters, configuration },
  };
}

export function renderComment(world: NotionWorld, comment: Comment): Fields {
  const attachments = signFiles(world, comment.attachments) as Json[];
  const { created_by } = peopleOf(comment);
  return {
    ...{ object: "comment", id: comment.id, parent: renderParent(world, comment.parent) },
    ...{ discussion_id: comment.discussionId, ...minuteStamps(comment), created_by: created_by ?? null },
    rich_text: signFiles(world, comment.richText),
    ...(attachments.length === 0 ? {} : { attachments }),
    display_name: comment.displayName,
  };
}

export function renderUpload(world: NotionWorld, upload: FileUpload): Fields {
  const isBot = world.state.grants.some(({ botId }) => botId === upload.createdBy);
  return {
    ...{ object: "file_upload", id: upload.id, ...minuteStamps(upload) },
    created_by: { id: upload.createdBy, type: isBot ? "bot" : "person" },
    expiry_time: upload.expiresAt === null ? null : minute(upload.expiresAt),
    ...uploadAddresses(world, upload),
    ...{ in_trash: false, status: upload.status, filename: upload.filename },
    ...{ content_type: upload.contentType, content_length: upload.sizeBytes, archived: false },
    ...(upload.importResult === undefined ? {} : { file_import_result: upload.importResult }),
  };
}

/** Where an upload is sent to, while it waits for its bytes. Evidence: the recorded uploads, pending and uploaded. */
function uploadAddresses({ url }: NotionWorld, upload: FileUpload): Fields {
  const { id, status, mode, partsTotal, partsSent } = upload;
  const shown: Fields = {};
  if (status === "pending") shown.upload_url = `${url}/v1/file_uploads/${id}/send`;
  if (status === "pending" && mode === "multi_part")
    shown.complete_url = `${url}/v1/file_uploads/${id}/complete`;
  if (partsTotal !== null) shown.number_of_parts = { total: partsTotal, sent: partsSent };
  return shown;
}

/** A time as answers show it for most things: whole minutes. */
export const minute = (at: number): string => new Date(wholeMinute(at)).toISOString();

/** Rich text without its marks. */
export const plainText = (richText: Json): string =>
  (richText as Fields[]).map(({ plain_text }) => String(plain_text ?? "")).join("");

/** The title of a page. */
export function titleOf(page: Page): string {
  const value = Object.values(page.values).find(({ type }) => type === "title");
  return value === undefined ? "" : plainText(value.title ?? []);
}

/** The title of a database: its own, or that of its first data source. */
export function databaseTitle(world: NotionWorld, database: Database): Json[] {
  const [first] = database.dataSourceIds;
  if (database.title.length > 0 || first === undefined) return database.title;
  return world.state.dataSources[first]?.title ?? [];
}

/** `{ type, [type]: id }` of a parent; a row names its database too. */
export function renderParent(world: NotionWorld, parent: Parent): Fields {
  if (parent.type === "workspace") return { type: "workspace", workspace: true };
  const named: Fields = { type: parent.type, [parent.type]: parent.id };
  if (parent.type === "data_source_id")
    named.database_id = world.state.dataSources[parent.id]?.databaseId ?? null;
  return named;
}

/** The web address of a page: words of its title, then its id. */
export function pageUrl({ url }: NotionWorld, id: string, title = ""): string {
  const words = title.match(/[A-Za-z0-9]+/g) ?? [];
  return `${url}/p/${[...words, plainId(id)].join("-")}`;
}

function shownTrash(world: NotionWorld, thing: { id: string; isTrashed: boolean }): boolean {
  return world.settings.trashShowsBelow ? isInTrash(world, thing.id) : thing.isTrashed;
}

/** A page's value with a long list cut; only relations say so. */
function cut(value: Fields): Fields {
  const type = String(value.type);
  const items = value[type];
  const isList = ["title", "rich_text", "people", "relation"].includes(type) && Array.isArray(items);
  if (!isList) return value;
  const shown = { ...value, [type]: items.slice(0, INLINE_ITEMS) };
  return type === "relation" ? { ...shown, has_more: items.length > INLINE_ITEMS } : shown;
}

type Made = { createdAt: number; editedAt: number; createdBy: string; editedBy: string };

const minuteStamps = ({ createdAt, editedAt }: Made): Fields => ({
  created_time: minute(createdAt),
  last_edited_time: minute(editedAt),
});

/** Databases and views are shown with milliseconds and another zone. Evidence: the recordings. */
const exactStamps = ({ createdAt, editedAt }: Made): Fields => ({
  created_time: exact(createdAt),
  last_edited_time: exact(editedAt),
});

const exact = (at: number) => new Date(at).toISOString().replace("Z", "+00:00");

const peopleOf = ({ createdBy, editedBy }: Made): Fields => ({
  created_by: { object: "user", id: createdBy },
  last_edited_by: { object: "user", id: editedBy },
});
