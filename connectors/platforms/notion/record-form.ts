import { tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { NotionBlock, NotionComment, NotionPage } from "./payloads.ts";
import { commentFile, propertyFile, recordPaths } from "./record-paths.ts";
import type { StoredBlock, StoredFile, StoredPage } from "./records.ts";

/** A file of a record and the address that reads it for an hour. */
export type FoundFile = {
  /** Path of its entry. */
  path: string;
  /** The address with its signature. */
  url: string;
  /** The address without it; names the same bytes for good. */
  address: string;
  /** The name that people know; null = only the address names it. */
  name: string | null;
  /** When the signature expires, in epoch ms; null = unknown. */
  expiresAt: number | null;
};

/** A record and the files that it refers to. */
export type Form<T> = { value: T; files: FoundFile[] };

/** Members that describe the answer instead of the thing. */
const VOLATILE = new Set(["request_id", "expiry_time"]);

/** The address of a file without its signature, which changes with every answer. */
export function unsigned(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** Whether an address carries a signature: the query of Amazon S3, which keeps Notion's files. */
const isSigned = (url: string) => /[?&]X-Amz-(?:Signature|Algorithm)=/i.test(url);

/** A record without what changes by itself. Files that Notion keeps get no path; see the forms below. */
export function recordForm(value: unknown): Json {
  return storedForm(value, () => null).value;
}

/** A page, row or template below its home, with the files of its icon, its cover and its properties. */
export function pageForm(page: NotionPage, home: string): Form<StoredPage> {
  const { properties, ...facts } = page;
  const own = storedForm(facts, (steps) => nameOfFacts(steps, home));
  const files = own.files;
  const stored: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(properties)) {
    let index = 0;
    // Files behind a rollup belong to other rows, which have them.
    const form = storedForm(value, (steps) =>
      steps[0] === "files" ? recordPaths.file(home, propertyFile(value.id, index++)) : null,
    );
    stored[name] = form.value;
    files.push(...form.files);
  }
  return { value: { ...(own.value as object), properties: stored } as StoredPage, files };
}

function nameOfFacts(steps: readonly string[], home: string): string | null {
  return steps.length === 1 && (steps[0] === "icon" || steps[0] === "cover")
    ? recordPaths.file(home, steps[0])
    : null;
}

/** A block of the page with this home. Its file has the block's name, a file as its icon the name with `-icon`. */
export function blockForm(block: NotionBlock, home: string): Form<StoredBlock> {
  const form = storedForm(block, (steps) => {
    if (steps.length === 1 && steps[0] === block.type) return recordPaths.file(home, block.id);
    if (steps.length === 2 && steps[0] === block.type && steps[1] === "icon")
      return recordPaths.file(home, `${block.id}-icon`);
    return null;
  });
  return form as Form<StoredBlock>;
}

/** A comment of the page with this home. Its attachments are files with a category. */
export function commentForm(comment: NotionComment, home: string): Form<Json> {
  const attachments = comment.attachments?.map((attachment) => ({ ...attachment, type: "file" }));
  let index = 0;
  const nameOf = (steps: readonly string[]) =>
    steps[0] === "attachments" ? recordPaths.file(home, commentFile(comment.id, index++)) : null;
  return storedForm(attachments === undefined ? comment : { ...comment, attachments }, nameOf);
}

/** A data source or a database with this home, with the files of its icon and its cover. */
export function tableForm(table: object, home: string): Form<Json> {
  return storedForm(table, (steps) => nameOfFacts(steps, home));
}

/**
 * Copies a thing without what changes by itself, and replaces the files that Notion keeps. `pathOf` gets the members that
 * lead to a file, without positions in lists; null = the file has no entry.
 */
function storedForm(value: unknown, pathOf: (steps: readonly string[]) => string | null): Form<Json> {
  const files: FoundFile[] = [];
  const copy = (member: Json, steps: readonly string[]): Json => {
    if (member === null || typeof member !== "object") return member;
    if (Array.isArray(member)) return member.map((each) => copy(each, steps));
    const file = internalFile(member);
    if (file !== null) return stored(file, member, steps);
    const result: { [key: string]: Json } = {};
    for (const [key, each] of Object.entries(member)) {
      if (VOLATILE.has(key) || each === undefined) continue;
      const isAddress = typeof each === "string" && key.endsWith("url") && isSigned(each);
      result[key] = isAddress ? unsigned(each) : copy(each, [...steps, key]);
    }
    return result;
  };
  const stored = (url: string, member: { [key: string]: Json }, steps: readonly string[]): Json => {
    const path = pathOf(steps);
    const address = unsigned(url);
    const name = typeof member.name === "string" && member.name !== "" ? member.name : null;
    const { file, ...rest } = member;
    const expiry = Date.parse(String((file as { expiry_time?: Json }).expiry_time));
    const expiresAt = Number.isNaN(expiry) ? null : expiry;
    if (path !== null) files.push({ path, url, address, name, expiresAt });
    const facts = copy(rest, steps) as { [key: string]: Json };
    return { ...facts, type: "file", file: { address, path } satisfies StoredFile["file"] };
  };
  return { value: copy(value as Json, []), files };
}

/** The address of a file that Notion keeps; null for anything else. */
function internalFile(member: { [key: string]: Json }): string | null {
  const { type, file } = member;
  if (type !== "file" || file === null || typeof file !== "object" || Array.isArray(file)) return null;
  return typeof file.url === "string" ? file.url : null;
}

/** The same record when the bytes of some files could not be read: those files have no path. */
export function withoutPaths<T extends Json>(value: T, missing: ReadonlySet<string>): T {
  if (missing.size === 0) return value;
  return tidyJson(value, (key, member) =>
    key === "path" && typeof member === "string" && missing.has(member) ? null : member,
  ) as T;
}
