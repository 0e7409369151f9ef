import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreEvent, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { cutText } from "./cut-text.ts";
import { readNote } from "./read-note.ts";

/** How a platform creates the new item of a restore. `T` is the item in the platform's form. */
export type Creation<T> = {
  /** Name in messages and key in the journal: "repository", "project". */
  kind: string;
  /** Id of the backed-up item; the new item must have another. */
  sourceId: string;
  /** Names to try in turn. */
  names: readonly string[];
  itemOf: (thing: T) => RestoredItem;
  /** Reads the item that an earlier slice created. */
  get: (created: RestoredItem) => Promise<T>;
  /** Creates the item with the mark as its description. */
  create: (name: string, mark: string) => Promise<T>;
  /**
   * Finds the item with this name; if names are not unique, the one with the mark.
   * @throws ConnectorError `gone` when there is none
   */
  find: (name: string, mark: string) => Promise<T & { description: string | null }>;
  /** Whether an error means that the name is taken. */
  isTaken: (refusal: ConnectorError) => boolean;
};

const createdSchema = z.object({
  externalId: z.string(),
  name: z.string(),
  fullName: z.string(),
  webUrl: z.string(),
});
const intentSchema = z.object({ name: z.string(), mark: z.string() });

/** Suffixes tried when the wanted name is taken: `-2` … `-50`. */
const MOST_NAMES = 50;

/** The names to try in turn: the wanted one, then with `-2`, `-3` …, each within the platform's length limit. */
export function freeNames(wanted: string, longest: number): string[] {
  const names = [wanted];
  for (let number = 2; number <= MOST_NAMES; number++) {
    const suffix = `-${number}`;
    names.push(cutText(wanted, longest - suffix.length) + suffix);
  }
  return names;
}

/**
 * Creates the new item of a restore, or finds the one that an earlier attempt created. Before the request, it
 * journals the item's name and a mark for its first description: if the response is lost, the mark distinguishes our
 * item from another one with the same name.
 *
 * @throws ConnectorError when no name is free or the platform refuses
 */
export async function createOnce<T>(journal: RestoreJournal, creation: Creation<T>): Promise<RestoredItem> {
  const { kind, itemOf } = creation;
  const done = await readNote(journal, kind, createdSchema);
  // Read by id: the item may have been renamed, and its old name reused.
  if (done !== null) return itemOf(await creation.get(done));
  const created = itemOf(await createUnderFreeName(journal, creation));
  invariant(created.externalId !== creation.sourceId, `a restore never writes to the ${kind} it came from`);
  await journal.record(kind, { ...created });
  return created;
}

async function createUnderFreeName<T>(
  journal: RestoreJournal,
  { kind, names, create, find, isTaken }: Creation<T>,
): Promise<T> {
  const intent = await readNote(journal, "intent", intentSchema);
  const id = intent?.mark ?? crypto.randomUUID();
  const mark = `Holdfast is restoring this ${kind} (${id}).`;
  const findOurs = async (name: string) => {
    try {
      const found = await find(name, mark);
      return found.description === mark ? found : null;
    } catch (error) {
      if (error instanceof ConnectorError && error.kind === "gone") return null;
      throw error;
    }
  };
  const first = intent ? Math.max(0, names.indexOf(intent.name)) : 0;
  for (const name of names.slice(first)) {
    if (intent?.name === name) {
      const ours = await findOurs(name);
      if (ours !== null) return ours;
    }
    await journal.record("intent", { name, mark: id });
    try {
      return await create(name, mark);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      const taken = isTaken(error);
      if (!taken && error.kind !== "unavailable" && error.kind !== "malformed") throw error;
      const ours = await findOurs(name);
      if (ours !== null) return ours;
      if (!taken) throw error;
    }
  }
  throw new ConnectorError("unsupported", `All names from ${names[0]} to ${names.at(-1)} are taken.`);
}

/** Reports a new item whose name is not the `asked` one. `wanted` is that name after the platform's `rule`. */
export function* reportNewName(
  created: RestoredItem,
  { asked, wanted, rule }: { asked: string; wanted: string; rule: string },
): Generator<RestoreEvent> {
  if (created.name === asked) return;
  const reason = created.name === wanted ? rule : "The name was already taken.";
  yield { type: "changed", what: `Name: ${created.name} instead of ${asked}`, reason };
}
