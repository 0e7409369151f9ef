import { Hono } from "hono";
import { readRange, streamFile } from "#connectors/toolkit/simulator/byte-files.ts";
import {
  type ApiContext,
  type ApiEnv,
  type DriveError,
  fault,
  fileNotFound,
  invalid,
  problem,
} from "./answers.ts";
import { parseFields, pickFields } from "./fields.ts";
import {
  changeFile,
  contentFile,
  destroyFile,
  findFile,
  isInTrash,
  makeFile,
  metadataError,
  renderFile,
  usedBytes,
} from "./files.ts";
import { metadataSchema } from "./metadata-schema.ts";
import { parseSearch } from "./search-query.ts";
import { type DriveFile, type DriveWorld, nextFileId } from "./state.ts";

/** The fields of a response when none are requested. */
const USUAL_FIELDS = "kind,id,name,mimeType";
const USUAL_PAGE = 100;
const LARGEST_PAGE = 1_000;

/** Reading, creating, changing and deleting files and folders, and reading the account (`/drive/v3`). */
export function fileRoutes(world: DriveWorld): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.get("/about", (c) => about(c, world));
  app.get("/files/generateIds", (c) => {
    const count = Number(c.req.query("count") ?? 10);
    if (!(count >= 1 && count <= 1_000)) return fault(c, world, invalid("count"));
    const ids = Array.from({ length: count }, () => nextFileId(world.state));
    world.state.reservedIds.push(...ids);
    world.save();
    return c.json({ kind: "drive#generatedIds", space: "drive", ids });
  });
  app.get("/files", (c) => listFiles(c, world));
  app.post("/files", async (c) => {
    const metadata = metadataSchema.safeParse(await c.req.json().catch(() => null));
    if (!metadata.success) return fault(c, world, invalid("resource", metadata.error.message));
    const error = metadataError(world, viewerOf(c), metadata.data, true);
    if (error !== null) return problem(c, error);
    return showFile(c, world, makeFile(world, c.get("person"), metadata.data, null));
  });
  app.get("/files/:id", (c) => {
    const file = findFile(world, viewerOf(c), c.req.param("id"));
    if (file === null) return problem(c, fileNotFound(c.req.param("id")));
    return c.req.query("alt") === "media" ? sendContent(c, world, file) : showFile(c, world, file);
  });
  app.patch("/files/:id", async (c) => {
    const file = findFile(world, viewerOf(c), c.req.param("id"));
    if (file === null) return problem(c, fileNotFound(c.req.param("id")));
    const metadata = metadataSchema.safeParse(await c.req.json().catch(() => null));
    if (!metadata.success) return fault(c, world, invalid("resource", metadata.error.message));
    const error = metadataError(world, viewerOf(c), metadata.data, false);
    if (error !== null) return problem(c, error);
    changeFile(world, file, metadata.data);
    return showFile(c, world, file);
  });
  app.delete("/files/:id", (c) => {
    const file = findFile(world, viewerOf(c), c.req.param("id"));
    if (file === null) return problem(c, fileNotFound(c.req.param("id")));
    destroyFile(world, file);
    return c.body(null, 204);
  });
  return app;
}

/** The caller of a request and what it may see. */
export function viewerOf(c: ApiContext) {
  return { person: c.get("person"), isAllVisible: c.get("isAllVisible") };
}

/** Responds with the requested fields of a file. */
export function showFile(c: ApiContext, world: DriveWorld, file: DriveFile): Response {
  const mask = parseFields(c.req.query("fields") ?? USUAL_FIELDS);
  return mask === null
    ? fault(c, world, fieldsError())
    : c.json(pickFields(renderFile(world, file), mask) as object);
}

function about(c: ApiContext, world: DriveWorld): Response {
  const fields = c.req.query("fields");
  if (fields === undefined) {
    const message = "The 'fields' parameter is required for this method.";
    const location = { type: "parameter" as const, name: "fields" };
    return fault(c, world, { status: 400, reason: "required", message, location });
  }
  const mask = parseFields(fields);
  if (mask === null) return fault(c, world, fieldsError());
  const person = c.get("person");
  const inDrive = usedBytes(world, person) - person.usedElsewhereBytes;
  return c.json(
    pickFields(
      {
        kind: "drive#about",
        user: {
          kind: "drive#user",
          displayName: person.name,
          me: true,
          permissionId: person.id,
          emailAddress: person.email,
        },
        storageQuota: {
          ...(person.limitBytes === null ? {} : { limit: String(person.limitBytes) }),
          usage: String(usedBytes(world, person)),
          usageInDrive: String(inDrive),
          usageInDriveTrash: "0",
        },
        maxUploadSize: "5242880000000",
        appInstalled: true,
      },
      mask,
    ) as object,
  );
}

function listFiles(c: ApiContext, world: DriveWorld): Response {
  const { q, pageToken, pageSize = String(USUAL_PAGE), orderBy, fields } = c.req.query();
  const test = q === undefined ? () => true : parseSearch(q);
  if (test === null) return fault(c, world, invalid("q", "Invalid Value"));
  const size = Number(pageSize);
  if (!(size >= 1 && size <= LARGEST_PAGE)) return fault(c, world, invalid("pageSize"));
  if (orderBy !== undefined && !/^(createdTime|name)( desc)?$/.test(orderBy)) {
    return fault(c, world, invalid("orderBy"));
  }
  const mask = parseFields(fields ?? `kind,nextPageToken,incompleteSearch,files(${USUAL_FIELDS})`);
  if (mask === null) return fault(c, world, fieldsError());
  const start = pageToken === undefined ? 0 : Number(/^~!!~(\d+)$/.exec(pageToken)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) return fault(c, world, invalid("pageToken"));
  const { person, isAllVisible } = viewerOf(c);
  const found = world.state.files.filter(
    (file) =>
      file.personId === person.id &&
      (isAllVisible || file.isOurs) &&
      test(file, { isTrashed: isInTrash(world, file), rootId: person.rootId }),
  );
  const ordered = orderBy === undefined ? found : sorted(found, orderBy);
  const rest = start + size < ordered.length ? { nextPageToken: `~!!~${start + size}` } : {};
  const files = ordered.slice(start, start + size).map((file) => renderFile(world, file));
  return c.json(
    pickFields({ kind: "drive#fileList", incompleteSearch: false, ...rest, files }, mask) as object,
  );
}

function sorted(files: DriveFile[], orderBy: string): DriveFile[] {
  const [field, direction] = orderBy.split(" ") as ["createdTime" | "name", string | undefined];
  const sign = direction === "desc" ? -1 : 1;
  return [...files].sort((one, other) => sign * one[field].localeCompare(other[field]));
}

function sendContent(c: ApiContext, world: DriveWorld, file: DriveFile): Response {
  if (file.content === null) {
    const message = "Only files with binary content can be downloaded. Use Export with Docs Editors files.";
    return problem(c, { status: 403, reason: "fileNotDownloadable", message });
  }
  const { sizeBytes } = file.content;
  const range = readRange(c.req.header("range"), sizeBytes);
  if (range === "unsatisfiable") return c.text("", 416, { "Content-Range": `bytes */${sizeBytes}` });
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  c.header("Content-Type", file.mimeType);
  c.header("Content-Length", String(last - first + 1));
  if (range !== null) c.header("Content-Range", `bytes ${first}-${last}/${sizeBytes}`);
  const body = sizeBytes === 0 ? "" : streamFile(contentFile(world, file.id), { first, last });
  return c.body(body, range === null ? 200 : 206);
}

function fieldsError(): DriveError {
  return invalid("fields", "Invalid field selection");
}
