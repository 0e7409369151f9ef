import { notFound } from "../api-context.ts";
import type { Grant, NotionWorld } from "../state.ts";
import { findThing, reaches, type Thing } from "../store.ts";

/** Who writes, and where. */
export type Writer = { world: NotionWorld; grant: Grant };

/** Finds what the writer's grant covers. @throws Refused `object_not_found` when it is missing or not covered */
export function reach<K extends Thing["kind"]>(
  { world, grant }: Writer,
  id: string,
  kinds: readonly K[],
  what: string,
): Extract<Thing, { kind: K }> {
  const found = findThing(world, id);
  if (found === null || !kinds.includes(found.kind as K) || !reaches(world, grant, id))
    throw notFound(grant, what, id);
  return found as Extract<Thing, { kind: K }>;
}
