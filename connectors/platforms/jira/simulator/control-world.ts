import type { JiraWorld, Person, Site } from "./state.ts";

/** What control routes look up; each throws for what does not exist. */
export type ControlWorld = {
  world: JiraWorld;
  person(key: string): Person;
  site(key: string): Site;
};
