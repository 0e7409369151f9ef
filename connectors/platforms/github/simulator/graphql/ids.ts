import { nodeId } from "../render.ts";

/** The id fields of an object. Some types expose fewer of them. */
export function idsOf(letters: string, id: number): Record<string, unknown> {
  return { id: nodeId(letters, id), databaseId: id, fullDatabaseId: String(id) };
}
