import { z } from "zod";
import type { RestoreJournal } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";

/** Databases that a restore made, in the order of their making, and locked things, which are locked last. */
const schema = z.object({
  databases: z.array(z.string()),
  /** Pages with synced copies that wait for their originals. */
  copies: z.array(z.object({ id: z.string(), home: z.string() })),
  locked: z.array(z.object({ type: z.enum(["page", "database"]), id: z.string() })),
});

export type ToDo = z.output<typeof schema>;

const KEY = "to do";

/** Things that the last steps of a restore come back to. */
export type ToDoList = {
  readonly list: ToDo;
  /** Notes a thing once. */
  add<K extends keyof ToDo>(kind: K, thing: ToDo[K][number]): Promise<void>;
};

/** Opens the list from the journal. */
export async function openToDo(journal: RestoreJournal): Promise<ToDoList> {
  const list: ToDo = (await readNote(journal, KEY, schema)) ?? { databases: [], copies: [], locked: [] };
  const known = new Set<string>();
  const keyOf = (kind: keyof ToDo, thing: unknown) => `${kind} ${JSON.stringify(thing)}`;
  for (const kind of ["databases", "copies", "locked"] as const) {
    for (const thing of list[kind]) known.add(keyOf(kind, thing));
  }
  return {
    list,
    async add(kind, thing) {
      const key = keyOf(kind, thing);
      if (known.has(key)) return;
      known.add(key);
      (list[kind] as unknown[]).push(thing);
      await journal.record(KEY, structuredClone(list));
    },
  };
}
