import { z } from "zod";
import type { RestoreEvent, RestoreJournal, Session } from "#connectors/contract/platform-connector.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { uploadForm } from "#connectors/toolkit/upload-form.ts";
import { gitlabApi, LARGEST_PAGE, paths, webBase } from "../client.ts";
import type { ProjectRecord } from "../read/project-record.ts";
import { recordPaths } from "../record-paths.ts";
import { rewriteUploadLinks, type UploadLink, uploadHomes, uploadLinksOf } from "../upload-links.ts";
import type { RestoreIo, RewriteLinks } from "./restore-io.ts";
import { isRefusal } from "./restore-refusal.ts";

/** An uploaded file. GitLab names it by its id from version 17.3 on. */
export const madeSchema = z.object({ id: z.int().nullish(), url: z.string().startsWith("/uploads/") });
/** What was made of some files, by their paths in the version. */
const notedSchema = z.record(z.string(), madeSchema);
/** Files of one journal entry, which is written again after each of them. */
export const FILES_PER_NOTE = 50;
const thereSchema = z.array(z.object({ id: z.int(), size: z.int(), filename: z.string() }));
const linkSchema = z.object({ filename: z.string(), sizeBytes: z.int() });

type UploadsRestore = RestoreIo & { session: Session; journal: RestoreJournal };

/**
 * Uploads the attached files to the project, because a file gets a new address there. Texts that are restored later
 * link to it.
 *
 * @param texts The only texts that are restored, into a project in use: files that they do not link to stay out. There
 *   nothing is deleted, so a lost response may leave a copy to which no text leads. Null = the project is a new one.
 * @returns what rewrites the links of a text
 */
export async function* restoreUploads(
  restore: UploadsRestore,
  source: ProjectRecord,
  texts: readonly string[] | null = null,
): AsyncGenerator<RestoreEvent, RewriteLinks> {
  const { snapshot, session } = restore;
  const homes = uploadHomes(webBase(session.config), source);
  const links = await linksOf(snapshot);
  const all = await filesOf(snapshot);
  const files = texts === null ? all : linkedFiles(texts, homes, { files: all, links });
  const addresses = new Map<string, string>();
  const ids = new Set<number | null | undefined>();
  for (let start = 0; start < files.length; start += FILES_PER_NOTE) {
    const some = files.slice(start, start + FILES_PER_NOTE);
    const key = `uploads:${start}`;
    const made = (await readNote(restore.journal, key, notedSchema)) ?? {};
    for (const { id } of Object.values(made)) ids.add(id);
    const next = some.find(({ path }) => made[path] === undefined);
    if (next !== undefined && texts === null) await removeUnfinished(restore, next, ids);
    for (const [index, file] of some.entries()) {
      const progress = {
        phase: "Uploading attached files",
        done: start + index,
        total: files.length,
      } as const;
      yield { type: "progress", progress: { ...progress, unit: "items" } };
      try {
        if (made[file.path] === undefined) {
          made[file.path] = await upload(restore, file);
          await restore.journal.record(key, made);
          ids.add(made[file.path]?.id);
        }
        addresses.set(file.path, made[file.path]?.url ?? "");
      } catch (error) {
        if (!isRefusal(error)) throw error;
        yield { type: "missing", what: `Attached file ${titleOf(file)}`, reason: error.message };
      }
      yield { type: "checkpoint" };
    }
  }
  if (addresses.size > 0) yield { type: "restored", kind: "upload", count: addresses.size };
  yield* reportUnclear(files, links);
  return (text) =>
    rewriteUploadLinks(text, homes, (link) => {
      const file = fileOf(link, { files, links });
      return file === null ? null : (addresses.get(file.path) ?? null);
    });
}

/** The attached files of a version. */
async function filesOf(snapshot: SnapshotView): Promise<EntryInfo[]> {
  const files: EntryInfo[] = [];
  for await (const entry of snapshot.list(recordPaths.uploads))
    if (entry.kind === "upload") files.push(entry);
  return files;
}

/** Sizes of the files behind the links of texts, by the link's secret. */
async function linksOf(snapshot: SnapshotView): Promise<Map<string, z.output<typeof linkSchema>>> {
  const links = new Map<string, z.output<typeof linkSchema>>();
  for await (const { path } of snapshot.list(recordPaths.uploadLinks)) {
    const secret = path.slice(recordPaths.uploadLinks.length, -".json".length);
    links.set(secret, linkSchema.parse(await snapshot.readRecord(path)));
  }
  return links;
}

/** The attached files that some texts of a version link to, in its order. */
export async function filesLinkedFrom(
  snapshot: SnapshotView,
  source: ProjectRecord,
  texts: readonly string[],
): Promise<EntryInfo[]> {
  const known = { files: await filesOf(snapshot), links: await linksOf(snapshot) };
  const base = source.webUrl.slice(0, -source.fullName.length - 1);
  return linkedFiles(texts, uploadHomes(base, source), known);
}

function linkedFiles(texts: readonly string[], homes: readonly string[], known: Known): EntryInfo[] {
  const used = new Set(
    texts.flatMap((text) => uploadLinksOf(text, homes)).map((link) => fileOf(link, known)),
  );
  return known.files.filter((file) => used.has(file));
}

type Known = { files: readonly EntryInfo[]; links: ReadonlyMap<string, z.output<typeof linkSchema>> };

/** The file behind a link: the only one of its name, and of its size if that is known. Null = none or several. */
function fileOf({ secret, filename }: UploadLink, { files, links }: Known): EntryInfo | null {
  const size = links.get(secret)?.sizeBytes;
  const same = files.filter(
    (file) => titleOf(file) === filename && (size === undefined || file.sizeBytes === size),
  );
  const [first] = same;
  // Files with equal bytes stand for each other.
  return first !== undefined && same.every(({ hash }) => hash === first.hash) ? first : null;
}

/** Reports the names of files whose links cannot be told apart. */
function* reportUnclear(
  files: readonly EntryInfo[],
  links: ReadonlyMap<string, z.output<typeof linkSchema>>,
): Generator<RestoreEvent> {
  const unclear = new Set<string>();
  const known = [...links.values()];
  for (const [name, same] of Map.groupBy(files, titleOf)) {
    const isClear =
      new Set(same.map(({ hash }) => hash)).size === 1 ||
      (known.filter(({ filename }) => filename === name).length >= same.length &&
        new Set(same.map(({ hash }) => hash)).size === new Set(same.map(({ sizeBytes }) => sizeBytes)).size);
    if (!isClear) unclear.add(name);
  }
  if (unclear.size === 0) return;
  const names = [...unclear].slice(0, NAMES_SHOWN).join(", ");
  const more = unclear.size > NAMES_SHOWN ? ` and ${unclear.size - NAMES_SHOWN} more` : "";
  const reason =
    "Several files have this name, and GitLab does not say which link leads to which. All of them were uploaded; some links may still lead to the original.";
  yield { type: "changed", what: `Links to ${names}${more}`, reason };
}

const NAMES_SHOWN = 20;

function titleOf({ title, path }: EntryInfo): string {
  return title ?? path.slice(recordPaths.uploads.length);
}

async function upload(
  { session, snapshot, projectId }: UploadsRestore,
  entry: EntryInfo,
): Promise<z.output<typeof madeSchema>> {
  const name = titleOf(entry);
  await session.spend(1);
  const order = {
    to: { path: paths.uploads(projectId) },
    token: await session.accessToken(),
    about: `the attached file ${name}`,
    file: { name, mimeType: null, entry },
  };
  return await uploadForm({ session, snapshot }, gitlabApi(session.config), order, madeSchema);
}

/**
 * Deletes the copy of the next file that an earlier attempt uploaded and did not journal: nothing names its address.
 *
 * @param ids Journaled copies. With one that GitLab did not name, any could be a copy that texts link to.
 */
async function removeUnfinished(
  { client, projectId }: UploadsRestore,
  next: EntryInfo,
  ids: ReadonlySet<number | null | undefined>,
): Promise<void> {
  if (ids.has(null) || ids.has(undefined)) return;
  const path = paths.uploads(projectId);
  const about = "the new attached files";
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about } as const;
  try {
    for await (const { id, size, filename } of client.members(list, thereSchema, (one) => String(one.id))) {
      if (ids.has(id) || filename !== titleOf(next) || size !== next.sizeBytes) continue;
      await client.send({ method: "DELETE", path: paths.upload(projectId, id), about: filename });
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}
