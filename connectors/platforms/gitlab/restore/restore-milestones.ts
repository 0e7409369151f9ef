import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { milestoneSchema, milestonesSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { RestoreIo, TextsRestore } from "./restore-io.ts";
import { attempt, isRefusal } from "./restore-refusal.ts";

/** Restores milestones by title. @returns the new ids by title */
export async function* restoreMilestones({
  client,
  snapshot,
  projectId,
  rewrite,
}: TextsRestore): AsyncGenerator<RestoreEvent, Map<string, number>> {
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
  for await (const entry of snapshot.list(recordPaths.milestones)) {
    const source = milestoneSchema.parse(await snapshot.readRecord(entry.path));
    const { title, description, due_date, start_date } = source;
    const about = `the milestone ${title}`;
    try {
      if (!there.has(title)) {
        const dates = { ...(due_date ? { due_date } : {}), ...(start_date ? { start_date } : {}) };
        const body = { title, description: rewrite(description ?? ""), ...dates };
        const made = await client.request(
          { method: "POST", path, body, about, missing: "forbidden" },
          milestoneSchema,
        );
        there.set(title, made.id);
      }
      count += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "missing", what: `Milestone ${title}`, reason: error.message };
    }
  }
  if (count > 0) yield { type: "restored", kind: "milestone", count };
  return there;
}

/** Closes milestones after everything in them is restored. */
export async function* closeMilestones(
  { client, snapshot, projectId }: RestoreIo,
  milestones: ReadonlyMap<string, number>,
): AsyncGenerator<RestoreEvent> {
  for await (const entry of snapshot.list(recordPaths.milestones)) {
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
    yield* attempt(`Closing the milestone ${title}`, () => client.send(call), "changed");
  }
}
