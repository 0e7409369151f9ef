import { paths } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredPage } from "../records.ts";
import { pictureOf } from "./icons.ts";
import { type JsonObject, objectsOf } from "./json-parts.ts";
import { titleOf, type ValueContext, type WrittenValue, writtenValue } from "./property-values.ts";
import type { RestoreIo } from "./restore-io.ts";
import { cutText, referredIds, textPieces, writtenText } from "./rich-text.ts";
import { firstSchema } from "./schemas.ts";
import { type Uploaded, uploadOrReport } from "./upload-file.ts";
import { type Node, readPage, readSource, sourcesOf } from "./walk-version.ts";

/** Where a page or database is made. A row also may stand in the table that it came from. */
export type Place =
  | { type: "workspace"; workspace: true }
  | { type: "page_id"; page_id: string }
  | { type: "data_source_id"; data_source_id: string };

/** `mark`: a title by which the first page of a restore is found again; null = the title of the version. */
export type NodeOrder = { node: Node; place: Place; mark: string | null };

/** The request that makes a page or database. */
export type NodeDraft = {
  path: string;
  body: JsonObject;
  /** Files that were uploaded for it. */
  uploads: Uploaded[];
  /** Values of a row, by name, also part of the body. */
  values: JsonObject;
  /** The name of the property with the title. */
  titleName: string;
};

/** A block that holds the place of those that stand before the first page below: requests can only append behind one. */
export const HOLDER = { type: "divider", divider: {} } as const;

/** The request that makes a page or row without its content. */
export async function pageDraft(
  io: RestoreIo,
  { node, place, mark }: NodeOrder,
  hasHolder: boolean,
): Promise<NodeDraft> {
  const page = await readPage(io.snapshot, node.home);
  await io.ids.load(referredIds(page.properties));
  const pictures = await picturesOf(io, page);
  const isRow = place.type === "data_source_id";
  const titleName = isRow ? titleProperty(page) : "title";
  const title = titleFor(io, titleOf(page), mark);
  const row = isRow ? await rowValues(io, page) : { values: {}, uploads: [] };
  const values: JsonObject = { [titleName]: { title }, ...row.values };
  const body: JsonObject = { parent: { ...place }, properties: values, ...pictures.members };
  if (hasHolder) body.children = [{ ...HOLDER }];
  const uploads = [...pictures.uploads, ...row.uploads];
  return { path: paths.pages, body, uploads, values: isRow ? values : {}, titleName };
}

/** The name of the property with the title. */
export function titleProperty({ properties }: StoredPage): string {
  return Object.entries(properties).find(([, { type }]) => type === "title")?.[0] ?? "title";
}

/** The values that a row is made with; relations follow when every row is there. */
async function rowValues(io: RestoreIo, { properties }: StoredPage) {
  const context = await valueContext(io, properties);
  const values: JsonObject = {};
  const uploads: Uploaded[] = [];
  for (const [name, stored] of Object.entries(properties)) {
    if (stored.type === "title" || stored.type === "relation") continue;
    const written = writtenValue(stored, context);
    if (written === null) continue;
    uploads.push(...(await uploadFiles(io, written)));
    const list = written.value.files;
    if (list === undefined || (Array.isArray(list) && list.length > 0)) values[name] = written.value;
  }
  return { values, uploads };
}

/** Uploads the files of a value and names them in it; those that are lost leave it. */
async function uploadFiles(io: RestoreIo, { value, files }: WrittenValue): Promise<Uploaded[]> {
  if (files.length === 0) return [];
  const list = objectsOf(value.files);
  const uploads: Uploaded[] = [];
  for (const { path, name, at } of files) {
    const upload = await uploadOrReport(io, path, name);
    if (upload === null) continue;
    list[at]!.file_upload = { id: upload.id };
    uploads.push(upload);
  }
  value.files = list.filter((each) => each.type !== "file_upload" || each.file_upload !== undefined);
  return uploads;
}

async function valueContext(io: RestoreIo, properties: StoredPage["properties"]): Promise<ValueContext> {
  const there = new Set<string>();
  for (const { people } of Object.values(properties)) {
    for (const { id } of objectsOf(people)) {
      if (typeof id === "string" && (await io.isThere(id))) there.add(id);
    }
  }
  return { ...io.references, isThere: (id) => there.has(id) };
}

/** The request that makes a database with its first data source. */
export async function databaseDraft(io: RestoreIo, { node, place, mark }: NodeOrder): Promise<NodeDraft> {
  const record = (await io.snapshot.readRecord(recordPaths.database(node.id))) as JsonObject;
  await io.ids.load(referredIds([record.title ?? null, record.description ?? null]));
  const { members, uploads } = await picturesOf(io, record);
  const [first] = await sourcesOf(io.snapshot, node.id);
  const source = first === undefined ? null : await readSource(io.snapshot, first);
  const description = cutText(writtenText(record.description, io.references), io.losses.tell);
  const body: JsonObject = {
    ...{ parent: { ...place }, title: titleFor(io, record.title, mark) },
    ...(description.length === 0 ? {} : { description }),
    ...(record.is_inline === true ? { is_inline: true } : {}),
    ...(source === null ? {} : { initial_data_source: { properties: firstSchema(source) } }),
    ...members,
  };
  return { path: paths.databases, body, uploads, values: {}, titleName: "title" };
}

/** A title as a request holds it. */
export function titleFor(
  io: RestoreIo,
  stored: JsonObject[string] | undefined,
  mark: string | null,
): JsonObject[] {
  if (mark !== null) return textPieces(mark, null);
  return cutText(writtenText(stored, io.references), io.losses.tell);
}

/** Icon and cover as a request holds them. Their files are uploaded now. */
export async function picturesOf(
  io: RestoreIo,
  record: JsonObject,
): Promise<{ members: JsonObject; uploads: Uploaded[] }> {
  const members: JsonObject = {};
  const uploads: Uploaded[] = [];
  for (const name of ["icon", "cover"] as const) {
    const picture = pictureOf(record[name], io.references);
    if (picture === null) continue;
    if ("value" in picture) {
      members[name] = picture.value;
      continue;
    }
    const upload = await uploadOrReport(io, picture.path);
    if (upload === null) continue;
    members[name] = { type: "file_upload", file_upload: { id: upload.id } };
    uploads.push(upload);
  }
  return { members, uploads };
}
