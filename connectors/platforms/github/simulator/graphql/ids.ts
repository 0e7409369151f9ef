import { nodeId } from "../render.ts";

/** A thing's ids. Some types show fewer of them than others. */
export function idsOf(letters: string, id: number): Record<string, unknown> {
  return { id: nodeId(letters, id), databaseId: id, fullDatabaseId: String(id) };
}
