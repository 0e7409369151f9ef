import type { Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import { ancestors, findThing, isInTrash, parentOf, touch } from "../store.ts";

/**
 * Puts something into the trash or takes it out. The page that holds it counts as edited; a page that is trashed or
 * taken back does not itself. Both are unproven: recordings show whole minutes, in which everything was made.
 */
export function setTrash({ world, grant }: Writer, id: string, isTrashed: boolean): void {
  const { thing, kind } = findThing(world, id)!;
  if (isTrashed === thing.isTrashed) return;
  if (!isTrashed && ancestors(world, id).some((each) => isInTrash(world, each)))
    throw invalid("Can't unarchive something below what is archived.");
  thing.isTrashed = isTrashed;
  const parent = parentOf(world, id);
  if (kind === "block") touch(world, id, grant.botId);
  else if (kind !== "data-source" && parent !== null && !world.state.dataSources[parent])
    touch(world, parent, grant.botId);
}
