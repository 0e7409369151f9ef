import { z } from "zod";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { shortLine } from "#connectors/toolkit/records/restore-stage.ts";
import { recordPaths } from "../record-paths.ts";
import type { Names } from "./issue-fields.ts";
import type { Named } from "./jira-calls.ts";
import { isRefused } from "./rest-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { readAll } from "./version-frame.ts";

const componentSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullish(),
});
const versionSchema = componentSchema.extend({
  released: z.boolean().catch(false),
  archived: z.boolean().catch(false),
  startDate: z.string().nullish(),
  releaseDate: z.string().nullish(),
});

const notedSchema = z.object({
  /** Ids in the target by names in lower case. */
  ids: z.record(z.string(), z.string()),
  /** Members that are done. */
  at: z.number(),
  created: z.number(),
  lines: z.array(z.object({ type: z.enum(["changed", "missing"]), what: z.string(), reason: z.string() })),
});
type Noted = z.output<typeof notedSchema>;

/** Creates the components and versions that the target lacks; those of the same name are used. */
export async function* restoreNames(io: RestoreIo): AsyncGenerator<RestoreEvent, Names> {
  const { snapshot, calls, target } = io;
  const { id, key } = target.project;
  if (io.part !== null) return await namesThere(io);
  const components = yield* makeNamed(io, {
    ...{ kind: "component", word: "Component" },
    members: await readAll(snapshot, recordPaths.components, componentSchema, Number.POSITIVE_INFINITY),
    existing: () => calls.components(id),
    create: ({ name, description }) => calls.createComponent(key, { name, description: description ?? null }),
  });
  const versions = yield* makeNamed(io, {
    ...{ kind: "version", word: "Version" },
    members: await readAll(snapshot, recordPaths.versions, versionSchema, Number.POSITIVE_INFINITY),
    existing: () => calls.versions(id),
    create: ({ name, description, released, archived, startDate, releaseDate }) =>
      calls.createVersion(id, {
        ...{ name, description: description ?? null, released, archived },
        ...{ startDate: startDate ?? null, releaseDate: releaseDate ?? null },
      }),
  });
  return { components, versions };
}

/** A part makes none: one issue uses what the project has. */
async function namesThere({ calls, target }: RestoreIo): Promise<Names> {
  const { id } = target.project;
  const byName = (list: readonly Named[]) => new Map(list.map((one) => [keyOf(one), one.id]));
  return { components: byName(await calls.components(id)), versions: byName(await calls.versions(id)) };
}

const keyOf = ({ name }: { name: string }) => name.trim().toLowerCase();

type Series<T extends Named> = {
  kind: string;
  word: string;
  members: readonly T[];
  existing: () => Promise<Named[]>;
  create: (member: T) => Promise<Named>;
};

async function* makeNamed<T extends Named>(
  io: RestoreIo,
  { kind, word, members, existing, create }: Series<T>,
): AsyncGenerator<RestoreEvent, Map<string, string>> {
  const noteKey = `names:${kind}`;
  const record = () => io.journal.record(noteKey, structuredClone(noted));
  const known = await readNote(io.journal, noteKey, notedSchema);
  const there = known === null && members.length > 0 ? await existing() : [];
  const ids = Object.fromEntries(there.map((one) => [keyOf(one), one.id]));
  const noted: Noted = known ?? { ids, at: 0, created: 0, lines: [] };
  // What exists is noted before anything is made: afterwards ours cannot be told from theirs.
  if (known === null && members.length > 0) await record();
  for (const member of members.slice(noted.at)) {
    if (noted.ids[keyOf(member)] === undefined) {
      try {
        const look = async () => (await existing()).find((one) => keyOf(one) === keyOf(member)) ?? null;
        const made = await io.maker.make<Named>({ look, create: () => create(member) });
        noted.ids[keyOf(member)] = made.id;
        noted.created += 1;
      } catch (error) {
        if (!isRefused(error)) throw error;
        noted.lines.push({
          type: "missing",
          ...shortLine({ what: `${word} ${member.name}`, reason: sentence(error.message) }),
        });
      }
    } else {
      const reason = "The project has one of this name, which is used.";
      noted.lines.push({ type: "changed", ...shortLine({ what: `${word} ${member.name}`, reason }) });
    }
    noted.at += 1;
    await record();
    yield { type: "checkpoint" };
  }
  if (noted.created > 0) yield { type: "restored", kind, count: noted.created };
  yield* noted.lines;
  return new Map(Object.entries(noted.ids));
}

/** A reason as a sentence. Jira's messages often lack a full stop. */
export function sentence(message: string): string {
  const text = message.trim();
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
