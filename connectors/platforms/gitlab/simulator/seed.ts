import { seedPeople } from "./seed-people.ts";
import type { GitlabWorld } from "./state.ts";

/** Fills a new world with people and groups, and for the demo also with projects. */
export async function seedWorld(world: GitlabWorld, seed: "demo" | "people"): Promise<void> {
  const cast = seedPeople(world);
  if (seed === "demo") {
    const { seedProjects } = await import("./seed-projects.ts");
    await seedProjects(world, cast);
  }
  world.save();
}
