import type { NotionWorld, Person, Workspace } from "./state.ts";
import { findThing } from "./store.ts";

/** A person in a workspace. */
export type SignedIn = { person: Person; workspace: Workspace };

/** Pages and databases at the top of a workspace that are not in the trash. */
export function topOf(world: NotionWorld, { rootIds }: Workspace): string[] {
  return rootIds.filter((id) => findThing(world, id)?.thing.isTrashed === false);
}
