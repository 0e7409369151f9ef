import type { NotionWorld, Person, Workspace } from "./state.ts";

/** The person with this login. @throws Error */
export function getPerson(world: NotionWorld, name: string): Person {
  const person = world.state.people.find((known) => known.login === name);
  if (!person) throw new Error(`There is nobody called ${name}`);
  return person;
}

/** A person's workspace by its name; without one, the first. @throws Error */
export function getWorkspace(world: NotionWorld, person: Person, name: string | undefined): Workspace {
  const own = world.state.workspaces.filter(({ id }) => person.workspaceIds.includes(id));
  const workspace = own.find((each) => name === undefined || each.name === name);
  if (!workspace) throw new Error(`${person.login} has no workspace ${name}`);
  return workspace;
}
