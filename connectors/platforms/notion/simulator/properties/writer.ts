import type { Grant, NotionWorld } from "../state.ts";
import { findThing, reaches, type Thing } from "../store.ts";
import { notFound } from "./read-input.ts";

/** Who writes, and where. */
export type Writer = { world: NotionWorld; grant: Grant };

/** Finds what the writer's grant covers. @throws Refused `object_not_found` when there is none, or it is not covered */
export function reach<K extends Thing["kind"]>(
  { world, grant }: Writer,
  id: string,
  kinds: readonly K[],
  what: string,
): Extract<Thing, { kind: K }> {
  const found = findThing(world, id);
  if (found === null || !kinds.includes(found.kind as K) || !reaches(world, grant, id))
    throw notFound(what, id);
  return found as Extract<Thing, { kind: K }>;
}
