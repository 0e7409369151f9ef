import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { paths } from "./client.ts";
import { ENTRY } from "./entries.ts";
import { LARGEST_PAGE } from "./inventory.ts";
import {
  boardSchema,
  boardsSchema,
  labelSchema,
  labelsSchema,
  milestoneSchema,
  milestonesSchema,
} from "./payloads.ts";
import { attempt, isRefusal } from "./restore-refusal.ts";

/** What everything around issues needs of the new project. */
export type NewProject = { client: HttpClient; snapshot: SnapshotView; projectId: string };

/** Labels under their names, those of groups too: in the new project they are its own. */
export async function* restoreLabels({
  client,
  snapshot,
  projectId,
}: NewProject): AsyncGenerator<RestoreEvent> {
  const path = paths.labels(projectId);
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the new labels" } as const;
  const there = new Set<string>();
  for await (const label of client.members(list, labelsSchema, ({ id }) => String(id))) there.add(label.name);
  let count = 0;
  for await (const entry of snapshot.list(ENTRY.labels)) {
    const { name, color, description, priority } = labelSchema.parse(await snapshot.readRecord(entry.path));
    const body = { name, color, description: description ?? "", ...(priority == null ? {} : { priority }) };
    const create = () =>
      client.send({ method: "POST", path, body, about: `the label ${name}`, missing: "forbidden" });
    if (there.has(name) || (yield* attempt(`Label ${name}`, create))) count += 1;
    there.add(name);
  }
  if (count > 0) yield { type: "restored", kind: "label", count };
}

/** Milestones under their titles. @returns the new ids by title */
export async function* restoreMilestones({
  client,
  snapshot,
  projectId,
}: NewProject): AsyncGenerator<RestoreEvent, Map<string, number>> {
  const path = paths.milestones(projectId);
  const list = {
    method: "GET",
    path,
    query: { per_page: LARGEST_PAGE },
    about: "the new milestones",
  } as const;
  const there = new Map<string, number>();
  for await (const one of client.members(list, milestonesSchema, ({ id }) => String(id)))
    there.set(one.title, one.id);
  let count = 0;
  for await (const entry of snapshot.list(ENTRY.milestones)) {
    const source = milestoneSchema.parse(await snapshot.readRecord(entry.path));
    const { title, description, due_date, start_date } = source;
    const about = `the milestone ${title}`;
    try {
      if (!there.has(title)) {
        const dates = { ...(due_date ? { due_date } : {}), ...(start_date ? { start_date } : {}) };
        const body = { title, description: description ?? "", ...dates };
        const made = await client.request(
          { method: "POST", path, body, about, missing: "forbidden" },
          milestoneSchema,
        );
        there.set(title, made.id);
      }
      count += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "impossible", what: `Milestone ${title}`, reason: error.message };
    }
  }
  if (count > 0) yield { type: "restored", kind: "milestone", count };
  return there;
}

/** Closes milestones last of all: what belongs to them is in by then. */
export async function* closeMilestones(
  { client, snapshot, projectId }: NewProject,
  milestones: ReadonlyMap<string, number>,
): AsyncGenerator<RestoreEvent> {
  for await (const entry of snapshot.list(ENTRY.milestones)) {
    const { title, state } = milestoneSchema.parse(await snapshot.readRecord(entry.path));
    const id = milestones.get(title);
    if (state !== "closed" || id === undefined) continue;
    const path = paths.milestone(projectId, id);
    const body = { state_event: "close" };
    const call = {
      method: "PUT",
      path,
      body,
      about: `the milestone ${title}`,
      missing: "forbidden",
    } as const;
    yield* attempt(`Closing the milestone ${title}`, () => client.send(call));
  }
}

/** Boards with their lists of labels. A plan with one board per project takes the first one only. */
export async function* restoreBoards({
  client,
  snapshot,
  projectId,
}: NewProject): AsyncGenerator<RestoreEvent> {
  const path = paths.boards(projectId);
  const list = { method: "GET", path, query: { per_page: LARGEST_PAGE }, about: "the new boards" } as const;
  const there = [];
  for await (const board of client.members(list, boardsSchema, ({ id }) => String(id))) there.push(board);
  const labels = new Map<string, number>();
  const labelCall = { ...list, path: paths.labels(projectId), about: "the new labels" };
  for await (const { id, name } of client.members(labelCall, labelsSchema, ({ id }) => String(id)))
    labels.set(name, id);
  let count = 0;
  for await (const entry of snapshot.list(ENTRY.boards)) {
    const source = boardSchema.parse(await snapshot.readRecord(entry.path));
    const name = source.name || "Development";
    const about = `the board ${name}`;
    try {
      const board =
        there.find((one) => one.name === name) ??
        (await client.request(
          { method: "POST", path, body: { name }, about, missing: "forbidden" },
          boardSchema,
        ));
      const known = new Set((board.lists ?? []).map((one) => one.label?.name));
      for (const { label } of source.lists ?? []) {
        const labelId = label ? labels.get(label.name) : undefined;
        if (!label || labelId === undefined || known.has(label.name)) continue;
        const body = { label_id: labelId };
        const call = { method: "POST", path: paths.boardLists(projectId, board.id), body, about } as const;
        yield* attempt(`List ${label.name} of ${about}`, () =>
          client.send({ ...call, missing: "forbidden" }),
        );
      }
      count += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "impossible", what: `Board ${name}`, reason: error.message };
    }
  }
  if (count > 0) yield { type: "restored", kind: "board", count };
}
