import { CONNECTION_NAME, notFound } from "../api-context.ts";
import type { Writer } from "./writer.ts";

/** Finds a person or bot of the writer's workspace. @throws Refused `object_not_found` */
export function userOf({ world, grant }: Writer, id: string): { id: string; name: string } {
  const { people, grants } = world.state;
  const person = people.find((each) => each.id === id && each.workspaceIds.includes(grant.workspaceId));
  if (person) return person;
  const bot = grants.find(({ botId, workspaceId }) => botId === id && workspaceId === grant.workspaceId);
  if (bot) return { id, name: CONNECTION_NAME };
  throw notFound(grant, "user", id);
}
