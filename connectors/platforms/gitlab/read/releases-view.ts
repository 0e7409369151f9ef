import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { ThreadDetail, ThreadsView } from "#connectors/contract/thread-view.ts";
import type { ViewOf } from "#connectors/contract/view.ts";
import { PLAIN_THREAD } from "#connectors/toolkit/views/thread-folders.ts";
import { listField, timeOf } from "#connectors/toolkit/views/values.ts";
import { folderBelow } from "#connectors/toolkit/views/walk-folders.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { releaseSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";

const authorSchema = z.object({ author: z.object({ username: z.string() }).nullish().catch(null) });
const KIND = "release";

/** The thread view of a project's releases; null when the version has none. */
export function findReleasesView(snapshot: SnapshotView): ViewOf<"thread"> | null {
  const count = snapshot.counts()[KIND] ?? 0;
  if (count === 0) return null;
  return {
    kind: "thread",
    id: "releases",
    label: "Releases",
    count,
    open: async () => openReleases(snapshot, count),
  };
}

function openReleases(snapshot: SnapshotView, count: number): ThreadsView {
  const read = async (path: string) => releaseOf(path, await snapshot.readRecord(path));
  return {
    words: { one: "release", many: "releases" },
    count,
    hasStates: false,
    async *threads(after) {
      const paths = await pathsByDate(snapshot);
      const from = after === null ? 0 : paths.findIndex((path) => idOf(path) === after) + 1;
      // Nothing follows a release that does not exist.
      if (after !== null && from === 0) return;
      for (const path of paths.slice(from)) {
        const { id, key, title, state, author, at, tags, text, fields, files } = await read(path);
        const words = [text, ...fields.map(({ value }) => value), ...files.map(({ name }) => name)];
        yield { id, path, key, title, state, author, at, tags, words: words.join("\n") };
      }
    },
    async thread(id) {
      const path = `${recordPaths.releases}${id}/release.json`;
      return (await snapshot.find(path))?.kind === KIND ? await read(path) : null;
    },
    async neighbours(id) {
      const ids = (await pathsByDate(snapshot)).map(idOf);
      const at = ids.indexOf(id);
      return { newer: ids[at - 1] ?? null, older: (at < 0 ? undefined : ids[at + 1]) ?? null };
    },
    notes: async () => ({ notes: [], next: null }),
    comment: async () => null,
    roleOf: ({ path, kind }) => (kind === KIND ? { role: "part", id: idOf(path) } : null),
  };
}

/**
 * Paths of all releases, newest first. Tags do not sort by date, so each record is read for its date; only the date and
 * the path are kept.
 */
async function pathsByDate(snapshot: SnapshotView): Promise<string[]> {
  const dated: { path: string; at: number }[] = [];
  for await (const { path, kind } of snapshot.list(recordPaths.releases)) {
    if (kind !== KIND) continue;
    const { released_at } = releaseSchema.parse(await snapshot.readRecord(path));
    dated.push({ path, at: timeOf(released_at) ?? 0 });
  }
  return dated.sort((one, other) => other.at - one.at).map(({ path }) => path);
}

/** The tag as encoded in the path, without slashes. */
function idOf(path: string): string {
  return folderBelow(recordPaths.releases, path) ?? path;
}

function releaseOf(path: string, value: Json): ThreadDetail {
  const { tag_name, name, description, released_at, milestones, assets } = releaseSchema.parse(value);
  return {
    id: idOf(path),
    path,
    key: tag_name,
    title: name || tag_name,
    state: null,
    author: authorSchema.parse(value).author?.username ?? null,
    at: timeOf(released_at),
    editedAt: null,
    tags: [],
    url: null,
    text: description ?? "",
    reactions: [],
    fields: listField(
      "Milestones",
      (milestones ?? []).map(({ title }) => title),
    ),
    files: (assets?.links ?? []).map((link) => ({
      name: link.name,
      path: null,
      url: link.url,
      sizeBytes: null,
    })),
    ...PLAIN_THREAD,
  };
}
