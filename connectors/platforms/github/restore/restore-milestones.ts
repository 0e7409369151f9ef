import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { openStage } from "#connectors/toolkit/records/restore-stage.ts";
import { paths } from "../client.ts";
import { holdsAny, type RestoreIo } from "./restore-io.ts";
import { refusalReason } from "./restore-refusal.ts";
import { milestoneSchema } from "./restored-records.ts";

const milestonesSchema = z.array(z.object({ number: z.int(), title: z.string() }));
const createdSchema = z.object({ number: z.int(), html_url: z.string() });
const LIST = { state: "all", per_page: 100 };

/** The position of the stage, and the new milestone numbers by the old ones. */
type Position = { path: string; numbers: Record<string, number> };

/**
 * Restores milestones with their state and due date. They get new numbers, so issues use the returned map.
 *
 * @returns old number → new number
 */
export async function* restoreMilestones(
  io: RestoreIo,
): AsyncGenerator<RestoreEvent, ReadonlyMap<number, number>> {
  const stage = await openStage<Position>(io.journal, "milestones");
  const numbers: Record<string, number> = { ...stage.at?.numbers };
  if (!stage.isDone && (await holdsAny(io.snapshot, "milestones/"))) {
    const { client, created, snapshot } = io;
    // The journal may lack the last ones. Titles are unique in a repository.
    const there = await milestonesOf(io);
    const path = paths.milestones(created.fullName);
    for await (const entry of snapshot.list("milestones/")) {
      if (stage.at !== null && entry.path <= stage.at.path) continue;
      const milestone = milestoneSchema.parse(await snapshot.readRecord(entry.path));
      try {
        let number = there.get(milestone.title);
        if (number === undefined) {
          const { title, state, description, due_on } = milestone;
          const body = {
            title,
            state: state ?? "open",
            description: description ?? "",
            ...(due_on && { due_on }),
          };
          const made = await client.request(
            { method: "POST", path, body, about: `the milestone ${title}`, missing: "forbidden" },
            createdSchema,
          );
          number = made.number;
        }
        numbers[String(milestone.number)] = number;
        stage.count("milestone");
        if (number !== milestone.number) {
          stage.tell({
            type: "mapped",
            kind: "milestone",
            from: String(milestone.number),
            to: String(number),
            url: `${created.webUrl}/milestone/${number}`,
          });
        }
      } catch (error) {
        stage.tell({ type: "missing", what: `Milestone ${milestone.title}`, reason: refusalReason(error) });
      }
      if (await stage.step({ path: entry.path, numbers })) yield { type: "checkpoint" };
    }
    await stage.finish();
  }
  yield* stage.events();
  return new Map(Object.entries(numbers).map(([from, to]) => [Number(from), to]));
}

export async function milestonesOf({ client, created }: RestoreIo): Promise<Map<string, number>> {
  const call = {
    method: "GET",
    path: paths.milestones(created.fullName),
    query: LIST,
    about: "the milestones",
  } as const;
  const found = new Map<string, number>();
  for await (const { title, number } of client.members(call, milestonesSchema, (one) => String(one.number))) {
    found.set(title, number);
  }
  return found;
}
