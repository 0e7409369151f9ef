import { Hono } from "hono";
import { z } from "zod";
import { type ApiContext, type ApiEnv, badInput, readArg, routeError } from "./answers.ts";
import { createFolder, deleteEntry, entriesBelow, findEntry, renderEntry, type Tagged } from "./entries.ts";
import { faultOfPath } from "./paths.ts";
import { type DropboxWorld, type Listing, nextId } from "./state.ts";

const LARGEST_PAGE = 2_000;

const path = z.string().regex(/^(\/|id:)/, "did not match pattern");
const getMetadataArg = z.strictObject({
  path,
  include_media_info: z.boolean().optional(),
  include_deleted: z.boolean().optional(),
  include_has_explicit_shared_members: z.boolean().optional(),
});
const listFolderArg = z.strictObject({
  path: z.string().regex(/^(\/.*|id:.*)?$/s, "did not match pattern"),
  recursive: z.boolean().default(false),
  include_deleted: z.boolean().optional(),
  include_mounted_folders: z.boolean().optional(),
  include_non_downloadable_files: z.boolean().optional(),
  limit: z.number().int().min(1).max(LARGEST_PAGE).default(LARGEST_PAGE),
});
const continueArg = z.strictObject({ cursor: z.string().min(1) });
const createFolderArg = z.strictObject({
  path: z.string().startsWith("/", "did not match pattern"),
  autorename: z.boolean().optional(),
});
const deleteArg = z.strictObject({ path, parent_rev: z.string().optional() });

/** Reading, creating and deleting files and folders (`files`, on the host `api`). */
export function fileRoutes(world: DropboxWorld): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.post("/2/files/get_metadata", (c) => {
    const arg = readArg(c, world, getMetadataArg);
    if (arg instanceof Response) return arg;
    if (arg.path === "/") return badInput(c, world, "path: The root folder is unsupported.");
    const entry = findEntry(world, c.get("person"), arg.path);
    if (entry === null) return routeError(c, { ".tag": "path", path: lookupError(arg.path) });
    return c.json(renderEntry(entry));
  });
  app.post("/2/files/list_folder", (c) => listFolder(c, world));
  app.post("/2/files/list_folder/continue", (c) => {
    const arg = readArg(c, world, continueArg);
    if (arg instanceof Response) return arg;
    const listing = world.state.listings.find(
      ({ cursor, personId }) => cursor === arg.cursor && personId === c.get("person").id,
    );
    if (listing === undefined) return badInput(c, world, 'Invalid "cursor" parameter.');
    return c.json(nextPage(world, listing));
  });
  app.post("/2/files/create_folder_v2", (c) => {
    const arg = readArg(c, world, createFolderArg);
    if (arg instanceof Response) return arg;
    const made = createFolder(world, c.get("person"), arg.path);
    if (made.kind === "refused") return routeError(c, { ".tag": "path", path: made.error });
    const { ".tag": _, ...metadata } = renderEntry(made.entry);
    return c.json({ metadata });
  });
  app.post("/2/files/delete_v2", (c) => {
    const arg = readArg(c, world, deleteArg);
    if (arg instanceof Response) return arg;
    const entry = findEntry(world, c.get("person"), arg.path);
    if (entry === null) return routeError(c, { ".tag": "path_lookup", path_lookup: lookupError(arg.path) });
    if (arg.parent_rev !== undefined && arg.parent_rev !== entry.file?.rev) {
      const conflict = { ".tag": "conflict", conflict: { ".tag": "file" } };
      return routeError(c, { ".tag": "path_write", path_write: conflict });
    }
    const metadata = renderEntry(entry);
    deleteEntry(world, c.get("person"), entry);
    return c.json({ metadata });
  });
  return app;
}

function listFolder(c: ApiContext, world: DropboxWorld): Response {
  const arg = readArg(c, world, listFolderArg);
  if (arg instanceof Response) return arg;
  if (arg.path === "/")
    return badInput(c, world, 'path: Specify the root folder as an empty string rather than as "/".');
  const person = c.get("person");
  const folder = arg.path === "" ? null : findEntry(world, person, arg.path);
  if (folder === null && arg.path !== "") {
    return routeError(c, { ".tag": "path", path: lookupError(arg.path) });
  }
  if (folder !== null && folder.file !== null) {
    return routeError(c, { ".tag": "path", path: { ".tag": "not_folder" } });
  }
  const below = entriesBelow(world, person, folder?.pathLower ?? "", arg.recursive);
  // A recursive listing starts with the folder itself.
  const entries = arg.recursive && folder !== null ? [folder, ...below] : below;
  const listing: Listing = {
    cursor: nextId(world.state, "Ztk", 40),
    personId: person.id,
    entryIds: entries.map(({ id }) => id),
    pageSize: arg.limit,
  };
  return c.json(nextPage(world, listing));
}

/** Returns one page and a cursor for the rest. A cursor stays valid, so that a page can be read twice. */
function nextPage(world: DropboxWorld, listing: Listing) {
  const { personId, pageSize } = listing;
  const page = listing.entryIds.slice(0, pageSize);
  const rest: Listing = {
    cursor: nextId(world.state, "Ztk", 40),
    personId,
    pageSize,
    entryIds: listing.entryIds.slice(pageSize),
  };
  world.state.listings.push(rest);
  world.save();
  const entries = page.flatMap((id) => {
    const entry = world.state.entries.find((known) => known.id === id);
    return entry === undefined ? [] : [renderEntry(entry)];
  });
  return { entries, cursor: rest.cursor, has_more: rest.entryIds.length > 0 };
}

function lookupError(key: string): Tagged {
  const isMalformed = key.startsWith("/") && faultOfPath(key) === "malformed_path";
  return isMalformed ? { ".tag": "malformed_path", malformed_path: null } : { ".tag": "not_found" };
}
