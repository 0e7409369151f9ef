import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { BackupStage, StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { eventSchema, recordForm } from "../record-form.ts";
import { recordPaths, type ThreadFolder } from "../record-paths.ts";
import { itemsProgress, openRepository, THREADS_REST } from "./repository-run.ts";

const cursorSchema = z.strictObject({ next: z.string(), newest: z.string(), oldest: z.number() });

/**
 * Events of issues and pull requests: labels, milestones, closings, assignments. The list is newest first and events
 * never change, so it is read down to the newest known event.
 */
export const eventsStage: BackupStage = {
  id: "events",
  optional: { kind: "issue-event", path: "issues/events", prefixes: [] },
  rests: THREADS_REST,
  async *run(run, cursor) {
    const { client, get } = openRepository(run);
    const resumed = readCursor(cursorSchema, cursor);
    const known = Number(run.known?.marks.events ?? 0);
    let newest = Number(resumed?.newest ?? known);
    let oldest = resumed?.oldest ?? Number.POSITIVE_INFINITY;
    let done = 0;
    yield itemsProgress("Reading events", done, null);
    const call = get("/issues/events", "the events");
    const pages = readPages(client, call, z.array(eventSchema), resumed?.next ?? null);
    try {
      for await (const page of pages) {
        for (const event of page.members) {
          const id = Number(event.id);
          newest = Math.max(newest, id);
          oldest = Math.min(oldest, id);
          if (event.issue !== null && id > known) yield eventRecord(event);
        }
        done += page.members.length;
        yield itemsProgress("Reading events", done, null);
        if (oldest <= known || page.next === null) break;
        yield { type: "checkpoint", cursor: { next: page.next, newest: String(newest), oldest } };
      }
    } catch (error) {
      if (!isEndOfPages(error) || oldest === Number.POSITIVE_INFINITY) throw error;
      yield* keepOlder(run, oldest);
    }
    run.next.marks.events = String(newest);
  },
};

function eventRecord({ issue, ...event }: z.output<typeof eventSchema>): BackupEvent {
  const thread: ThreadFolder = issue?.pull_request ? "pulls" : "issues";
  const number = issue?.number ?? 0;
  return {
    type: "record",
    path: recordPaths.event(thread, number, event.id),
    kind: "issue-event",
    title: `${event.event.replaceAll("_", " ")}, ${event.actor?.login ?? "a deleted account"}`,
    parent: recordPaths.thread(thread, number),
    value: recordForm(event as Json),
  };
}

/** GitHub limits how far back this list goes and returns 422 beyond the limit. */
function isEndOfPages(error: unknown): boolean {
  return error instanceof ConnectorError && error.status === 422;
}

/** Keeps the previous snapshot's events that are beyond the end of GitHub's list. */
async function* keepOlder({ order }: StagesRun, oldest: number): AsyncGenerator<BackupEvent, void> {
  for (const thread of ["issues/", "pulls/"]) {
    for await (const { path, kind } of order.previous?.list(thread) ?? []) {
      const id = Number(/\/events\/(\d+)\.json$/.exec(path)?.[1]);
      if (kind === "issue-event" && id < oldest) yield { type: "keep", path };
    }
  }
  const reason =
    "GitHub lists only the newest events of a large repository. Older ones are in this version only if an earlier version has them.";
  yield { type: "skipped", path: "issues/events", kind: "issue-event", reason };
}
