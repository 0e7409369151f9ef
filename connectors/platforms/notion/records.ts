import type { Json } from "#core/kernel/canonical-json.ts";

/**
 * The stored form of Notion's objects: the API's own, of the pinned version, without what changes by itself
 * (`request_id`, signed addresses and their `expiry_time`) and with these differences.
 *
 * Entries carry what lists need, so that a tree is shown without reading records: `title` in plain text, and `parent` =
 * the path of the entry above. Above a page is the `page.json` that contains its block, at any depth; above a database
 * too; above a data source its `database.json`; above a row or template its `source.json`. Roots have no parent.
 * Blocks, comments and files have the `page.json` of their home, views the `database.json`. A person's title is the name.
 */

/**
 * A file that Notion keeps. It replaces `{ type: "file", file: { url, expiry_time } }` wherever that stands: in blocks,
 * icons, covers, properties and comments. Files with an external address stay as they are.
 */
export type StoredFile = {
  type: "file";
  file: {
    /** The address without its signature. It names the same bytes for good, so they are not fetched again. */
    address: string;
    /** Path of the entry with the bytes; null = they could not be read, and the version says why. */
    path: string | null;
  };
};

/** The value of `page.json`: a page, row or template. All property values are whole, also those beyond the first page. */
export type StoredPage = { [key: string]: Json } & {
  object: "page";
  id: string;
  parent: { [key: string]: Json };
  properties: { [name: string]: { [key: string]: Json } & { id: string; type: string } };
};

/** A block without its children. `parent` names the page or block above it. */
export type StoredBlock = { [key: string]: Json } & {
  object: "block";
  id: string;
  type: string;
  has_children: boolean;
  parent: { [key: string]: Json };
};

/**
 * The value of `blocks/{index}.json`: at most 200 blocks of the page, in the order of reading: each block is followed
 * by its children, at any depth. Blocks of a page below are not part of it: `child_page` and `child_database` end there.
 */
export type StoredBlocks = { blocks: StoredBlock[] };

export const BLOCKS_PER_RECORD = 200;

/** The value of `roots.json`. A database stands for all its data sources. */
export type StoredRoots = { roots: { type: "page" | "database"; id: string }[] };

/** The value of `workspace.json`. */
export type StoredWorkspace = {
  id: string;
  name: string;
  /** The person who granted access. */
  owner: { id: string; name: string; email: string | null } | null;
  /** What the API does not give, and how old each part may be; the completeness record of the version. */
  notes: string[];
  /** The largest file that the workspace's plan takes, in bytes; null = Notion did not tell. */
  maxUploadBytes: number | null;
};

/**
 * The values of `views/{id}.json` and `comments/{id}.json`: the API's objects, and their place in the list in which Notion
 * tells them. Times have whole minutes, so they do not order what was made at one go.
 */
export type StoredListed = { [key: string]: Json } & { id: string; created_time: string; position: number };

/** The value of `source.json`: `properties` is the schema. `database.json` is the API's object. */
export type StoredSource = { [key: string]: Json } & {
  object: "data_source";
  id: string;
  properties: { [name: string]: { [key: string]: Json } & { id: string; name: string; type: string } };
};
