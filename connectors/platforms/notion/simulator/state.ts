import type { SpoilOrder } from "#connectors/toolkit/simulator/gateway.ts";
import type { Refusal } from "#connectors/toolkit/simulator/request-log.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

/** A JSON object in the API's form of version 2025-09-03. */
export type Fields = { [key: string]: Json };

/** What may be granted to a connection; the names are ours, the API names only what is missing. */
export const CAPABILITIES = [
  "read_content",
  "update_content",
  "insert_content",
  "read_comments",
  "insert_comments",
  "read_users",
  "read_emails",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Times in epoch milliseconds, and the ids of a person or bot. Answers show pages and blocks in whole minutes. */
export type Stamps = { createdAt: number; createdBy: string; editedAt: number; editedBy: string };

/** What something stands in. A row and a template stand in a data source, which stands in a database. */
export type Parent =
  | { type: "workspace" }
  | { type: "page_id"; id: string }
  | { type: "block_id"; id: string }
  | { type: "database_id"; id: string }
  | { type: "data_source_id"; id: string };

export type Person = {
  id: string;
  login: string;
  name: string;
  email: string;
  workspaceIds: string[];
  /** Guests are not listed by the API. */
  isGuest: boolean;
};

export type Workspace = {
  id: string;
  name: string;
  icon: string | null;
  plan: "free" | "plus" | "business" | "enterprise";
  /** Pages and databases at its top, in the order of the sidebar. */
  rootIds: string[];
};

/** An authorisation: a bot, which acts for one person in one workspace. */
export type Grant = {
  /** The bot's user id. */
  botId: string;
  workspaceId: string;
  personId: string;
  /** Pages and databases that the person chose; what is below them is included. Those made at the top are added. */
  rootIds: string[];
  capabilities: Capability[];
  token: string;
  refreshToken: string | null;
  isRevoked: boolean;
  createdAt: number;
  /** A bot of its own, beside the one that a person's authorisations share. */
  isApart: boolean;
};

/**
 * A page, row or template. `values` holds property values by property id, as `{ type, [type]: value }`; a page that is
 * no row has only `title`. Computed properties have no value here, except formulas that were given one.
 */
export type Page = Stamps & {
  kind: "page" | "row" | "template";
  id: string;
  workspaceId: string;
  parent: Parent;
  values: { [propertyId: string]: Fields };
  icon: Json;
  cover: Json;
  isTrashed: boolean;
  isLocked: boolean;
  publicUrl: string | null;
  /** Its number within the data source, for `unique_id`. */
  number: number | null;
};

/** A block. `child_page` and `child_database` blocks are not stored: they are the page or database itself. */
export type Block = Stamps & {
  id: string;
  workspaceId: string;
  parent: Parent;
  type: string;
  /** The member that is named like the type. Files that Notion keeps are `{ type: "file", file: { file_id } }`. */
  payload: Fields;
  isTrashed: boolean;
};

export type Database = Stamps & {
  id: string;
  workspaceId: string;
  parent: Parent;
  title: Json[];
  description: Json[];
  icon: Json;
  cover: Json;
  isInline: boolean;
  isLocked: boolean;
  isTrashed: boolean;
  publicUrl: string | null;
  dataSourceIds: string[];
  viewIds: string[];
};

export type DataSource = Stamps & {
  id: string;
  workspaceId: string;
  databaseId: string;
  title: Json[];
  description: Json[];
  icon: Json;
  /** The schema by property id: `{ id, name, description, type, [type]: configuration }`. */
  properties: { [propertyId: string]: Fields };
  isTrashed: boolean;
  rowIds: string[];
  templateIds: string[];
  defaultTemplateId: string | null;
  /** The last number that a `unique_id` took. */
  lastNumber: number;
};

/** A view; `body` has what users set: name, type, and if set filter, sorts, quick_filters, configuration. */
export type View = Stamps & {
  id: string;
  workspaceId: string;
  databaseId: string;
  dataSourceId: string | null;
  body: Fields;
};

export type Comment = Stamps & {
  id: string;
  workspaceId: string;
  /** A page or block. */
  parent: Extract<Parent, { type: "page_id" | "block_id" }>;
  discussionId: string;
  richText: Json[];
  /** In the API's form: `{ category, file: { file_id } }`. */
  attachments: Json[];
  displayName: Fields;
  isResolved: boolean;
};

/** A file whose bytes lie in the simulator's folder. Its address is `/{workspaceId}/{id}/{name}` on the file host. */
export type KeptFile = {
  id: string;
  workspaceId: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
};

export type FileUpload = Stamps & {
  id: string;
  workspaceId: string;
  status: "pending" | "uploaded" | "expired" | "failed";
  mode: "single_part" | "multi_part" | "external_url";
  filename: string | null;
  contentType: string | null;
  sizeBytes: number | null;
  expiresAt: number | null;
  partsTotal: number | null;
  partsSent: number;
  fileId: string | null;
  /** How an import ended, in the API's form. */
  importResult?: Fields;
};

export type CustomEmoji = { id: string; workspaceId: string; name: string; fileId: string };

/** A task of `allow_async`; its `result` is in the API's form. */
export type AsyncTask = {
  id: string;
  workspaceId: string;
  operation: string;
  createdAt: number;
  doneAt: number;
  result: Fields;
};

/** The rows of a view that `POST /views/{id}/queries` keeps for a while. */
export type ViewQuery = { id: string; viewId: string; pageIds: string[]; expiresAt: number };

/** An authorisation code of the consent page. */
export type ConsentCode = Pick<Grant, "personId" | "workspaceId" | "rootIds"> & {
  code: string;
  redirectUri: string;
  expiresAt: number;
};

/** Everything that a simulated Notion stores; plain JSON. */
export type NotionState = {
  counter: number;
  people: Person[];
  workspaces: Workspace[];
  grants: Grant[];
  codes: ConsentCode[];
  pages: Record<string, Page>;
  blocks: Record<string, Block>;
  databases: Record<string, Database>;
  dataSources: Record<string, DataSource>;
  views: Record<string, View>;
  comments: Record<string, Comment>;
  files: Record<string, KeptFile>;
  uploads: Record<string, FileUpload>;
  emojis: Record<string, CustomEmoji>;
  tasks: Record<string, AsyncTask>;
  viewQueries: Record<string, ViewQuery>;
  /** Ids of blocks, pages and databases in a page or block, from top to bottom; also of what is in the trash. */
  children: Record<string, string[]>;
  /** Comment ids by the page or block that they are on, oldest first. */
  commentsOn: Record<string, string[]>;
  /** Pages and data sources that search never finds. */
  missedBySearch: string[];
};

/** What tests may change. */
export type NotionSettings = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  /** What a grant of the registered connection may do. */
  capabilities: readonly Capability[];
  /** Requests of one bot in a window, and how many may come at once. */
  requestsPerWindow: number;
  windowMs: number;
  burst: number;
  /** How long a change stays unknown to search. */
  searchLagMs: number;
  /** Rows that one query gives at most; the rest is cut without an error. */
  queryRows: number;
  /** How long a file's address is valid. */
  fileLifetimeMs: number;
  /** How long an upload waits until it is attached. */
  uploadLifetimeMs: number;
  /** For which workspaces the connection is registered. The free plan's limit of blocks concerns only chosen ones. */
  registeredFor: "any workspace" | "chosen workspaces";
  /** Blocks that a workspace on the free plan takes, counted over its life. */
  freeBlocks: number;
  /** Bytes of one file on a free and on a paid plan. */
  freeFileBytes: number;
  paidFileBytes: number;
  /** Largest single upload and part, and the smallest part that is not the last. */
  partBytes: number;
  smallestPartBytes: number;
  /** Whether what stands below something in the trash also says that it is in the trash. */
  trashShowsBelow: boolean;
  /** Blocks of a page that its markdown shows before it is cut. */
  markdownBlocks: number;
  /** How long an asynchronous task takes. */
  taskMs: number;
};

/** A running simulator's state and surroundings. */
export type NotionWorld = {
  state: NotionState;
  settings: NotionSettings;
  directory: string;
  /** The API, consent page and web site. */
  url: string;
  /** The host of files. */
  fileUrl: string;
  /** Moves the simulator's clock. */
  clockOffsetMs: number;
  /** Addresses of files that were signed until then no longer work. */
  filesExpireAt: number;
  /** Requests of each bot, for its quota. */
  windows: Map<string, { tokens: number; at: number }>;
  spoils: SpoilOrder[];
  save(): void;
  refuse(refusal: Refusal): void;
};

/** A state without people. */
export function emptyState(): NotionState {
  return {
    ...{ counter: 0, people: [], workspaces: [], grants: [], codes: [] },
    ...{ pages: {}, blocks: {}, databases: {}, dataSources: {}, views: {}, comments: {} },
    ...{ files: {}, uploads: {}, emojis: {}, tasks: {}, viewQueries: {} },
    ...{ children: {}, commentsOn: {}, missedBySearch: [] },
  };
}
