import { z } from "zod";
import type {
  NewTarget,
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { gitlabClient, LARGEST_PAGE, paths } from "../client.ts";
import { descriptor } from "../descriptor.ts";
import { type GitlabSnippet, snippetSchema, snippetsSchema } from "../payloads.ts";
import { type SnippetRecord, snippetKey, snippetName, snippetRecordSchema } from "../read/snippet-record.ts";
import { recordPaths } from "../record-paths.ts";
import { getSnippet } from "../snippet-inventory.ts";
import { readNotes, restoreNotes } from "./restore-notes.ts";
import { openRestorePace } from "./restore-pace.ts";
import { explainScope, isRefusal } from "./restore-refusal.ts";
import { pushSnippet } from "./restore-snippet-git.ts";

const intentSchema = z.object({ mark: z.string(), projectId: z.string().nullable() });
const createdSchema = z.object({ externalId: z.string() });

type Deps = { session: Session; snapshot: SnapshotView; journal: RestoreJournal; client: HttpClient };

/**
 * Restores a version as a new private snippet, in its original project if that still exists, else as a personal
 * snippet. GitLab requires a file, so the snippet is created with one; then its whole history is pushed over it.
 */
export async function* restoreSnippet(
  session: Session,
  snapshot: SnapshotView,
  target: NewTarget,
  journal: RestoreJournal,
): AsyncGenerator<RestoreEvent, RestoredItem> {
  const source = snippetRecordSchema.parse(await snapshot.readRecord(recordPaths.snippet));
  const deps = { session, snapshot, journal, client: gitlabClient(session) };
  const created = yield* createSnippet(deps, { source, target });
  invariant(
    created.id !== source.id || created.project_id !== source.projectId,
    "a restore never writes to the snippet it came from",
  );
  yield { type: "restored", kind: "snippet", count: 1 };
  yield* privateInstead(source);
  yield* pushSnippet(deps, snippetName(created));
  const path = paths.snippet(created.project_id, created.id);
  const body = { description: source.description ?? "" };
  await deps.client.send({ method: "PUT", path, body, about: "the restored snippet", missing: "forbidden" });
  yield* restoreComments(deps, created, source);
  return itemOf(created);
}

/** The report line when the original was not private. */
export function* privateInstead({ visibility }: SnippetRecord): Generator<RestoreEvent> {
  if (visibility === "private") return;
  const reason = "Restored snippets are private until you open them in the snippet's settings.";
  yield { type: "changed", what: `Visibility: private instead of ${visibility}`, reason };
}

function itemOf(snippet: GitlabSnippet): RestoredItem {
  return {
    externalId: snippetKey(snippet),
    name: snippet.title,
    fullName: snippetName(snippet),
    webUrl: snippet.web_url,
  };
}

/** Creates the snippet, or finds the one of an earlier attempt by the mark in its first description. */
async function* createSnippet(
  deps: Deps,
  { source, target }: { source: SnippetRecord; target: NewTarget },
): AsyncGenerator<RestoreEvent, GitlabSnippet> {
  const { client, journal } = deps;
  const done = await readNote(journal, "snippet", createdSchema);
  if (done !== null) return await getSnippet(client, { externalId: done.externalId, fullName: target.name });
  yield {
    type: "progress",
    progress: { phase: "Creating the snippet", done: 0, total: 1, unit: "requests" },
  };
  const known = await readNote(journal, "intent", intentSchema);
  const intent = known ?? { mark: crypto.randomUUID(), projectId: await homeOf(client, source) };
  const found = known ? await findMarked(client, intent) : null;
  if (!known) await journal.record("intent", intent);
  const created = found ?? (await askForSnippet(client, { source, target, intent }));
  await journal.record("snippet", { externalId: snippetKey(created) });
  if (source.projectId !== null && created.project_id === null) {
    const reason = "The project that it was in is not there any more, or takes no snippets from you.";
    yield { type: "changed", what: "It is a personal snippet now", reason };
  }
  return created;
}

/** The original's project if the account can reach it; null = restore as a personal snippet. */
async function homeOf(client: HttpClient, { projectId }: SnippetRecord): Promise<string | null> {
  if (projectId === null) return null;
  try {
    const call = { method: "GET", path: paths.snippets(projectId), about: "the project's snippets" } as const;
    await client.send({ ...call, query: { per_page: 1 } });
    return projectId;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

type Creation = {
  source: SnippetRecord;
  target: NewTarget;
  intent: { mark: string; projectId: string | null };
};

async function askForSnippet(
  client: HttpClient,
  { source, target, intent }: Creation,
): Promise<GitlabSnippet> {
  const body = {
    title: [...target.name].slice(0, descriptor.limits.restoredNameLength).join(""),
    description: descriptionWith(intent.mark),
    visibility: "private",
    files: [{ file_path: source.files[0] ?? "snippet.txt", content: "This snippet is being restored.\n" }],
  };
  const call = { method: "POST", body, about: "the new snippet", missing: "forbidden" } as const;
  try {
    return await client.request({ ...call, path: paths.snippets(intent.projectId) }, snippetSchema);
  } catch (error) {
    if (intent.projectId === null || !isRefusal(error)) throw explainScope(error);
    return await client.request({ ...call, path: paths.snippets(null) }, snippetSchema);
  }
}

function descriptionWith(mark: string): string {
  return `Holdfast is restoring this snippet (${mark}).`;
}

/** Finds the snippet of an earlier attempt that lost GitLab's response: in the project, else a personal one. */
async function findMarked(
  client: HttpClient,
  { mark, projectId }: { mark: string; projectId: string | null },
): Promise<GitlabSnippet | null> {
  for (const home of new Set([projectId, null])) {
    const path = paths.snippets(home);
    const call = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the snippets" } as const;
    for await (const snippet of client.members(call, snippetsSchema, ({ id }) => id)) {
      if (snippet.description === descriptionWith(mark)) return snippet;
    }
  }
  return null;
}

/** The report line for comments of a personal snippet. */
export function withoutComments(count: number): RestoreEvent {
  const reason = "GitLab's API takes no comments for personal snippets; the backup and its ZIP keep them.";
  return { type: "impossible", what: `${count} ${count === 1 ? "comment" : "comments"}`, reason };
}

async function* restoreComments(
  { session, snapshot, client }: Deps,
  created: GitlabSnippet,
  source: SnippetRecord,
): AsyncGenerator<RestoreEvent> {
  const entries: string[] = [];
  for await (const { path } of snapshot.list(recordPaths.notes)) entries.push(path);
  if (entries.length === 0) return;
  if (created.project_id === null) {
    yield withoutComments(entries.length);
    return;
  }
  const outcome = yield* restoreNotes(await readNotes(snapshot, entries), {
    client,
    config: session.config,
    pace: openRestorePace(session),
    // It is in its original project, or its comments are not restored.
    rewrite: (text) => text,
    thing: paths.snippet(created.project_id, created.id),
    originUrl: source.webUrl,
    mayBeThere: true,
  });
  if (outcome.count > 0) yield { type: "restored", kind: "note", count: outcome.count };
  if (!outcome.areDatesKept) {
    const reason = "GitLab refused them; each comment starts with its original date.";
    yield { type: "changed", what: "Dates of comments", reason };
  }
}
