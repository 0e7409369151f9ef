import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordPaths } from "../record-paths.ts";
import { isId } from "./homes.ts";
import { textOf } from "./members.ts";

/** The name of a person, bot or group; null = neither the value nor the version has it. */
export type NameOf = (person: Json | undefined) => Promise<string | null>;

/** Looks up names. Notion gives most people as ids only; the version has a record of each. */
export function openPeople(snapshot: SnapshotView): NameOf {
  const known = new Map<string, string | null>();
  return async (person) => {
    const own = textOf(person, "name");
    const id = textOf(person, "id");
    if (own !== "" || !isId(id)) return own || null;
    if (!known.has(id)) known.set(id, await storedName(snapshot, id));
    return known.get(id) ?? null;
  };
}

async function storedName(snapshot: SnapshotView, id: string): Promise<string | null> {
  const entry = await snapshot.find(recordPaths.user(id));
  if (entry === null) return null;
  return entry.title || textOf(await snapshot.readRecord(entry.path), "name") || null;
}
