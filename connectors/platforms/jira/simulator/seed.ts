import { newAccountId } from "./ids.ts";
import { seedDemo } from "./seed-demo.ts";
import { createSite } from "./sites.ts";
import type { JiraWorld, Person } from "./state.ts";

/** Nora signs in; Ivo and Åsa work with her; Lena is at the other site only. */
const PEOPLE = [
  { displayName: "Nora Lindqvist", email: "nora@meridian.example", timeZone: "Europe/Stockholm" },
  { displayName: "Ivo Petrov", email: "ivo@meridian.example", timeZone: "Europe/Sofia" },
  { displayName: "Åsa Nyström", email: "asa@meridian.example", timeZone: "Europe/Stockholm" },
  { displayName: "Lena Brandt", email: "lena@harbour.example", timeZone: "Europe/Berlin" },
];

/** Creates people and two sites, and for the demo also projects. */
export function seedWorld(world: JiraWorld, seed: "demo" | "people"): void {
  const people = PEOPLE.map((person): Person => {
    const accountType = "atlassian";
    return { accountId: newAccountId(), isActive: true, accountType, ...person };
  });
  world.state.people.push(...people);
  const [nora, ivo, asa, lena] = people as [Person, Person, Person, Person];
  const meridian = createSite(world, {
    slug: "meridian",
    name: "Meridian Freight",
    edition: "premium",
    people: [
      [nora, true],
      [ivo, false],
      [asa, false],
    ],
  });
  const harbour = createSite(world, {
    slug: "harbourworks",
    name: "Harbour Works",
    edition: "standard",
    people: [
      [lena, true],
      [nora, false],
      [ivo, false],
    ],
  });
  if (seed === "demo") seedDemo(world, { meridian, harbour, nora, ivo, asa, lena });
}
