import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpCall, HttpClient } from "#connectors/toolkit/http-client.ts";
import { dropMissing } from "#connectors/toolkit/records/drop-missing.ts";
import { numberSet, numberSetSchema } from "#connectors/toolkit/records/number-set.ts";
import {
  type ChangeList,
  type ChangePosition,
  readChanges,
} from "#connectors/toolkit/records/read-changes.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import { type BackupStage, isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { gitlabClient, LARGEST_PAGE, paths } from "../client.ts";
import { totalOf } from "../inventory.ts";
import {
  type GitlabIssue,
  type GitlabMergeRequest,
  issuesSchema,
  mergeRequestsSchema,
  noteSchema,
} from "../payloads.ts";
import { issuableForm } from "../record-form.ts";
import { type IssuableKind, recordPaths } from "../record-paths.ts";
import { backUpEvents } from "./back-up-events.ts";
import { backUpIssueLinks, saysLinked } from "./back-up-issue-links.ts";
import { backUpNotes } from "./back-up-notes.ts";
import { backUpUploadLinks } from "./back-up-upload-links.ts";
import { readVotes } from "./back-up-votes.ts";

type Issuable = GitlabIssue | GitlabMergeRequest;

const WORDS = {
  issue: { many: "issues", phase: "Reading issues", sign: "#" },
  "merge-request": { many: "merge requests", phase: "Reading merge requests", sign: "!" },
} as const;

const positionSchema = z.strictObject({ since: z.string().nullable(), page: z.int().positive() });
const cursorSchema = z.strictObject({ position: positionSchema, fresh: numberSetSchema, done: z.int() });

/**
 * Issues or merge requests with their notes. With a previous version, reads only those changed since then, each with
 * all of its notes. The total reveals deletions; {@link dropDeleted} then finds out which.
 */
export function issuablesStage(kind: IssuableKind, projectId: string): BackupStage {
  const prefix = recordPaths.issuables(kind);
  return {
    id: kind,
    optional: { kind, path: prefix, prefixes: [prefix] },
    run: (run, cursor) => backUpIssuables(run, cursor, { kind, projectId }),
  };
}

type Order = { kind: IssuableKind; projectId: string };

async function* backUpIssuables(
  run: StagesRun,
  from: Json | null,
  order: Order,
): AsyncGenerator<BackupEvent> {
  const { kind } = order;
  const client = gitlabClient(run.session);
  const resumed = readCursor(cursorSchema, from);
  const mark = run.known?.marks[kind] ?? null;
  const kept = mark === null ? null : run.order.previous;
  // Numbers that are not in the previous version.
  const fresh = resumed?.fresh ?? numberSet();
  let done = resumed?.done ?? 0;
  let newest = mark;
  if (kept !== null && resumed === null) yield { type: "keep-all", prefix: recordPaths.issuables(kind) };
  const list = changeList(order);
  for await (const page of readChanges(client, list, { mark, position: resumed?.position ?? null })) {
    for (const issuable of page.members) {
      const old = kept === null ? null : await readOld(kept, recordPaths.issuable(kind, issuable.iid));
      if (old === null) fresh.add(issuable.iid);
      if (old?.updated_at === issuable.updated_at) continue;
      yield* backUpIssuable(run, order, { issuable, kept });
      done += 1;
      yield { type: "progress", progress: { phase: WORDS[kind].phase, done, total: null, unit: "items" } };
      const position: ChangePosition = { since: issuable.updated_at, page: 1 };
      yield { type: "checkpoint", cursor: { position, fresh: fresh.toText(), done } };
    }
    newest = page.newest;
  }
  const count = (kept === null ? 0 : (run.known?.counts[kind] ?? 0)) + fresh.size();
  const left = kept === null ? count : yield* dropDeleted(client, order, { kept, count, isFresh: fresh.has });
  yield { type: "reported", kind, count: left };
  run.next.counts[kind] = left;
  if (newest !== null) run.next.marks[kind] = newest;
}

function listCall({ kind, projectId }: Order): HttpCall {
  return {
    method: "GET",
    path: kind === "issue" ? paths.issues(projectId) : paths.mergeRequests(projectId),
    query: { scope: "all", state: "all", per_page: LARGEST_PAGE },
    about: WORDS[kind].many,
    missing: "forbidden",
  };
}

function changeList(order: Order): ChangeList<Issuable> {
  const call = listCall(order);
  return {
    call: (since, page) => ({
      ...call,
      query: {
        ...call.query,
        order_by: "updated_at",
        sort: "asc",
        page,
        ...(since === null ? {} : { updated_after: since }),
      },
    }),
    schema: schemaOf(order.kind),
    idOf: ({ iid }) => String(iid),
    changedAt: ({ updated_at }) => updated_at,
  };
}

function schemaOf(kind: IssuableKind): z.ZodType<Issuable[]> {
  return kind === "issue" ? issuesSchema : mergeRequestsSchema;
}

const oldSchema = z.object({ updated_at: z.string() });

async function readOld(previous: SnapshotView, path: string): Promise<{ updated_at: string } | null> {
  if ((await previous.find(path)) === null) return null;
  const parsed = oldSchema.safeParse(await previous.readRecord(path));
  return parsed.success ? parsed.data : { updated_at: "" };
}

async function* backUpIssuable(
  run: StagesRun,
  { kind, projectId }: Order,
  { issuable, kept }: { issuable: Issuable; kept: SnapshotView | null },
): AsyncGenerator<BackupEvent, void> {
  const client = gitlabClient(run.session);
  const { iid, title } = issuable;
  const path = recordPaths.issuable(kind, iid);
  const name = `${WORDS[kind].sign}${iid} ${title}`;
  const thing = kind === "issue" ? paths.issue(projectId, iid) : paths.mergeRequest(projectId, iid);
  // Unchanged and without notes since it was created, so only its votes need a request.
  const isUntouched = issuable.user_notes_count === 0 && issuable.created_at === issuable.updated_at;
  const hasApprovals = kind === "merge-request" && !isUntouched;
  let votes: { [key: string]: Json } = {};
  try {
    votes = await readVotes(client, { thing, about: name, counts: issuable, hasApprovals });
  } catch (error) {
    // Deleted or hidden since it was listed, or the GitLab plan has no approvals.
    if (!isOutOfReach(error)) throw error;
    yield { type: "skipped", path, kind: "vote", reason: error.message };
  }
  yield { type: "record", path, kind, title: name, value: { ...issuableForm(issuable), ...votes } };
  const texts = [issuable.description];
  let isLinked = false;
  const hasEvents = !isUntouched || issuable.labels.length > 0 || Boolean(issuable.milestone);
  for (const [part, entry, backUp, isNeeded] of [
    ["notes", "note", backUpNotes, !isUntouched],
    ["resource-events", "event", backUpEvents, hasEvents],
  ] as const) {
    if (!isNeeded) continue;
    const folder = `${recordPaths.issuableFolder(kind, iid)}${part}/`;
    try {
      const notes = { thing, about: `the ${part} of ${name}`, folder, parent: path, kept };
      for await (const event of backUp(client, notes)) {
        yield event;
        if (event.type !== "record" || event.kind !== "note") continue;
        const note = noteSchema.parse(event.value);
        texts.push(note.body);
        isLinked ||= saysLinked(note);
      }
    } catch (error) {
      // Deleted or hidden since it was listed.
      if (!isOutOfReach(error)) throw error;
      yield { type: "skipped", path: folder, kind: entry, reason: error.message };
    }
  }
  if (kind === "issue" && isLinked) {
    const wasLinked = Boolean(await kept?.find(recordPaths.issueLinks(iid)));
    yield* backUpIssueLinks(client, { projectId, iid, wasLinked });
  }
  yield* backUpUploadLinks(run, projectId, texts);
}

/**
 * Drops issues or merge requests that were deleted at GitLab. One request reads the total; the numbers are listed only
 * when the total differs from `count`.
 *
 * @returns how many GitLab has
 */
async function* dropDeleted(
  client: HttpClient,
  order: Order,
  { kept, count, isFresh }: { kept: SnapshotView; count: number; isFresh: (iid: number) => boolean },
): AsyncGenerator<BackupEvent, number> {
  const call = listCall(order);
  const schema = schemaOf(order.kind);
  const { headers } = await client.page({ ...call, query: { ...call.query, per_page: 1 } }, schema);
  const total = totalOf(headers);
  if (total === null || total === count) return count;
  const there = numberSet();
  const sorted = { ...call, query: { ...call.query, order_by: "created_at", sort: "asc" } };
  for await (const { members } of readPages(client, sorted, schema)) {
    for (const { iid } of members) there.add(iid);
  }
  yield* dropMissing(
    kept,
    recordPaths.issuables(order.kind),
    (name) => there.has(Number(name)) || isFresh(Number(name)),
  );
  return there.size();
}
