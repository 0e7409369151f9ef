import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import type { PartsRun } from "#connectors/toolkit/records/run-parts.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { githubClient, paths } from "./client.ts";
import { repositoryRecordSchema } from "./repository-record.ts";

/** The largest page that GitHub gives. */
export const LARGEST_PAGE = 100;

/** What every part of a repository's backup works with. */
export type RepositoryRun = {
  client: HttpClient;
  fullName: string;
  owner: string;
  name: string;
  /** Which features are switched on; null = GitHub does not tell. */
  features: Readonly<Record<string, boolean | null>>;
  /** A GET of a list below the repository. */
  get: (path: string, about: string, query?: HttpCall["query"]) => HttpCall;
  /** A GET of one thing below the repository, which has no pages. */
  getOne: (path: string, about: string) => HttpCall;
};

/** Opens a repository for a part. */
export function openRepository({ session, order }: PartsRun): RepositoryRun {
  const { fullName, details } = order.item;
  const [owner = "", name = ""] = fullName.split("/");
  const record = repositoryRecordSchema.safeParse(details);
  const getOne: RepositoryRun["getOne"] = (path, about) => ({
    method: "GET",
    path: `${paths.repositoryByName(fullName)}${path}`,
    about: `${about} of ${fullName}`,
    missing: "forbidden",
  });
  return {
    client: githubClient(session),
    fullName,
    owner,
    name,
    features: record.success ? record.data.features : {},
    get: (path, about, query = {}) => ({
      ...getOne(path, about),
      query: { per_page: LARGEST_PAGE, ...query },
    }),
    getOne,
  };
}

/** What GitHub counts itself; null when it does not tell. */
const totalsSchema = z
  .object({ issues: z.int(), pulls: z.int(), labels: z.int(), milestones: z.int(), releases: z.int() })
  .nullable();

const notesSchema = z.object({
  totals: totalsSchema.default(null),
  /** Numbers of the issues and of the pull requests that the list of changes named in this run. */
  issues: numberSetSchema.prefault(""),
  pulls: numberSetSchema.prefault(""),
  /** Pull requests that somebody reacted to. */
  reactedPulls: numberSetSchema.prefault(""),
  /** The list of changes was read to its end, so that a pull request it did not name has not changed. */
  areChangesKnown: z.boolean().default(false),
  /** How many comments GitHub counts below each changed issue; only of a backup that reads changes. */
  commentCounts: z.record(z.string(), z.number()).default(() => ({})),
  /** How many comments this run found that the previous version does not have, by issue. */
  newComments: z.record(z.string(), z.int()).default(() => ({})),
});

/** Facts that parts hand on to later ones. @throws UnreadableCursorError */
export function readNotes({ notes }: PartsRun): z.output<typeof notesSchema> {
  return readCursor(notesSchema, notes) ?? notesSchema.parse({});
}

/** Writes some of the facts. */
export function writeNotes(run: PartsRun, facts: { [name: string]: Json }): void {
  Object.assign(run.notes, facts);
}

/** A bar that counts things. */
export function itemsProgress(phase: string, done: number, total: number | null): BackupEvent {
  return { type: "progress", progress: { phase, done, total, unit: "items" } };
}

/**
 * A feature that is switched off: what GitHub hides then, and still has, stays as the previous version holds it. A
 * repository that never had any of it lacks nothing, so nothing is told.
 */
export async function* tellSwitchedOff(
  { order }: PartsRun,
  { kind, prefix, what }: { kind: string; prefix: string; what: string },
): AsyncGenerator<BackupEvent, void> {
  if (order.previous === null || (await order.previous.list(prefix)[Symbol.asyncIterator]().next()).done)
    return;
  yield { type: "keep-all", prefix };
  const reason = `${what} are switched off in this repository. What the previous version holds is kept.`;
  yield { type: "skipped", path: prefix, kind, reason };
}

/** Things that GitHub lists with nothing but null in their place; nothing is told when there are none. */
export function* tellHidden(
  hidden: number,
  { kind, path, what }: { kind: string; path: string; what: string },
): Generator<BackupEvent, void> {
  if (hidden === 0) return;
  const reason = `GitHub does not show ${hidden} of the ${what} that it lists.`;
  yield { type: "skipped", path, kind, reason };
}
