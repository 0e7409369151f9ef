import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { StageRests } from "#connectors/toolkit/records/stage-rests.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { githubClient, paths } from "../client.ts";
import { repositoryRecordSchema } from "../read/repository-record.ts";
import { feedsSchema } from "./feeds.ts";

/** GitHub's largest page. */
export const LARGEST_PAGE = 100;

/** What every stage of a repository's backup works with. */
export type RepositoryRun = {
  client: HttpClient;
  fullName: string;
  owner: string;
  name: string;
  /** Which features are switched on; null = GitHub does not say. */
  features: Readonly<Record<string, boolean | null>>;
  /** A GET of a list below the repository. */
  get: (path: string, about: string, query?: HttpCall["query"]) => HttpCall;
  /** A GET of one object below the repository, without pages. */
  getOne: (path: string, about: string) => HttpCall;
};

/** Opens a repository for a stage. */
export function openRepository({ session, order }: StagesRun): RepositoryRun {
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

/** GitHub's own totals; null when it does not return them. */
const totalsSchema = z
  .object({
    issues: z.int(),
    pulls: z.int(),
    labels: z.int(),
    milestones: z.int(),
    releases: z.int(),
    commitComments: z.int().optional(),
  })
  .nullable();

const notesSchema = z.object({
  totals: totalsSchema.default(null),
  /** What GitHub told about the changes of this repository, by name. */
  feeds: feedsSchema.default(() => ({})),
  /** Numbers of the issues and pull requests that the list of changes contained in this run. */
  issues: numberSetSchema.prefault(""),
  pulls: numberSetSchema.prefault(""),
  /** Pull requests that have reactions. */
  reactedPulls: numberSetSchema.prefault(""),
  /** Whether the list of changes was read to its end. If so, any pull request not in it is unchanged. */
  areChangesKnown: z.boolean().default(false),
  /** GitHub's comment count of each changed issue. Only set in a backup that reads changes. */
  commentCounts: z.record(z.string(), z.number()).default(() => ({})),
  /** Comments that this run found and the previous snapshot does not have, by issue. */
  newComments: z.record(z.string(), z.int()).default(() => ({})),
});

/** Reads the facts that earlier stages left for later ones. @throws UnreadableCursorError */
export function readNotes({ notes }: Pick<StagesRun, "notes">): z.output<typeof notesSchema> {
  return readCursor(notesSchema, notes) ?? notesSchema.parse({});
}

/** A feed that the query for the totals returned; a stage whose feed did not change need not be read. */
export function feedOf(name: string): NonNullable<StageRests["feed"]> {
  return (notes) => readNotes({ notes }).feeds[name] ?? null;
}

/**
 * When nothing of issues and pull requests is read: none is newer than the last one known, and none has come or gone. Their
 * entries are kept by the stage of the totals. An edited comment, and an event such as a mention, need not update their
 * thread: they are found when any thread changes, else by the weekly full read.
 */
export const THREADS_REST: StageRests = { prefixes: [], feed: feedOf("threads") };

/** Writes some of these facts. */
export function writeNotes(run: StagesRun, facts: { [name: string]: Json }): void {
  Object.assign(run.notes, facts);
}

/** A progress bar that counts items. */
export function itemsProgress(phase: string, done: number, total: number | null): BackupEvent {
  return { type: "progress", progress: { phase, done, total, unit: "items" } };
}

/**
 * Reports a feature that is switched off. GitHub hides its data but still has it, so the previous snapshot's entries
 * are kept. Yields nothing if the previous snapshot has none.
 */
export async function* reportSwitchedOff(
  { order }: StagesRun,
  { kind, prefix, what }: { kind: string; prefix: string; what: string },
): AsyncGenerator<BackupEvent, void> {
  if (order.previous === null || (await order.previous.list(prefix)[Symbol.asyncIterator]().next()).done)
    return;
  yield { type: "keep-all", prefix };
  const reason = `${what} are switched off in this repository. What the previous version holds is kept.`;
  yield { type: "skipped", path: prefix, kind, reason };
}

/** Reports members that GitHub lists as null. Yields nothing when there are none. */
export function* reportHidden(
  hidden: number,
  { kind, path, what }: { kind: string; path: string; what: string },
): Generator<BackupEvent, void> {
  if (hidden === 0) return;
  const reason = `GitHub does not show ${hidden} of the ${what} that it lists.`;
  yield { type: "skipped", path, kind, reason };
}
