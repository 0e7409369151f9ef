import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { unclaimed } from "#connectors/toolkit/records/make-once.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { type ReportLine, shortLine } from "#connectors/toolkit/records/restore-stage.ts";
import { createdSchema } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal, reasonOf } from "./restore-refusal.ts";

/** All records below a prefix, oldest first. */
export async function readAll<S extends z.ZodType>(
  { snapshot }: RestoreIo,
  prefix: string,
  schema: S,
): Promise<z.output<S>[]> {
  const all: z.output<S>[] = [];
  for await (const { path } of snapshot.list(prefix)) all.push(schema.parse(await snapshot.readRecord(path)));
  return all;
}

const notedSchema = z.object({
  made: z.record(z.string(), z.string().nullable()),
  lines: z.array(
    z.object({ type: z.enum(["changed", "impossible", "missing"]), what: z.string(), reason: z.string() }),
  ),
});
type Noted = z.output<typeof notedSchema>;

/** Things of one kind that are created one by one, each journaled before the next. */
type Series<T extends { id: string }> = {
  name: string;
  members: readonly T[];
  /** Equal for things that Trello shows alike. */
  keyOf: (member: T) => string;
  existing: () => Promise<T[]>;
  /** Ids of things that existed before the restore. */
  passed?: ReadonlySet<string>;
  create: (member: T) => Promise<{ id: string }>;
  refused: (member: T, reason: string) => ReportLine & { type: "changed" | "missing" };
};

/** Creates what is not yet in the journal. @returns new ids by old id, without those that Trello refused */
export async function* makeSeries<T extends { id: string }>(
  io: RestoreIo,
  series: Series<T>,
): AsyncGenerator<RestoreEvent, Map<string, string>> {
  const { name, members, keyOf } = series;
  const noted: Noted = (await readNote(io.journal, name, notedSchema)) ?? { made: {}, lines: [] };
  for (const [index, member] of members.entries()) {
    if (noted.made[member.id] !== undefined) continue;
    const key = keyOf(member);
    const before = members
      .slice(0, index)
      .filter((each) => keyOf(each) === key && noted.made[each.id]).length;
    const look = async () =>
      unclaimed(
        (await series.existing()).filter((each) => keyOf(each) === key && !series.passed?.has(each.id)),
        before,
      );
    try {
      const create = () => series.create(member);
      noted.made[member.id] = (await io.maker.make<{ id: string }>({ look, create })).id;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      noted.made[member.id] = null;
      noted.lines.push(shortLine(series.refused(member, reasonOf(error))));
    }
    await io.journal.record(name, structuredClone(noted));
    const progress = {
      phase: `Creating ${name}`,
      done: index + 1,
      total: members.length,
      unit: "items",
    } as const;
    yield { type: "progress", progress };
  }
  const made = new Map<string, string>();
  for (const member of members) {
    const id = noted.made[member.id];
    if (id) made.set(member.id, id);
  }
  yield* noted.lines;
  return made;
}

/** Creates one thing. Its parent exists, so a "not found" counts as a refusal. */
export function postThing(io: RestoreIo, path: string, body: object, about: string): Promise<{ id: string }> {
  return io.client.request({ method: "POST", path, body, about, missing: "forbidden" }, createdSchema);
}
