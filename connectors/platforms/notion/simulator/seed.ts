import { newId } from "./ids.ts";
import type { Cast } from "./seed-cast.ts";
import { seedDemo } from "./seed-demo.ts";
import type { NotionWorld, Person, Workspace } from "./state.ts";

/** Creates people and workspaces, and for the demo also pages and tables. */
export function seedWorld(world: NotionWorld, seed: "demo" | "people"): void {
  const { state } = world;
  const workspace = (name: string, icon: string, plan: Workspace["plan"]): Workspace => {
    const made = { id: newId(state), name, icon, plan, rootIds: [] };
    state.workspaces.push(made);
    return made;
  };
  const meridian = workspace("Meridian Freight", "🚛", "business");
  const harbour = workspace("Harbour Works", "⚓", "free");
  const person = (login: string, name: string, email: string, places: Workspace[]): Person => {
    const workspaceIds = places.map(({ id }) => id);
    const made = { id: newId(state), login, name, email, workspaceIds, isGuest: false };
    state.people.push(made);
    return made;
  };
  const cast: Cast = {
    ...{ meridian, harbour },
    nora: person("nora", "Nora Lindqvist", "nora@meridian.example", [meridian, harbour]),
    ivo: person("ivo", "Ivo Petrov", "ivo@meridian.example", [meridian]),
    asa: person("asa", "Åsa Nyström", "asa@meridian.example", [meridian]),
    lena: person("lena", "Lena Brandt", "lena@harbour.example", [harbour]),
  };
  if (seed === "demo") seedDemo(world, cast);
}
