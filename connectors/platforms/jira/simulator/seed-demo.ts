import { createProject } from "./projects.ts";
import type { JiraWorld, Person, Site } from "./state.ts";

/** The places and people of the demo. */
export type DemoCast = Record<"meridian" | "harbour", Site> & Record<"nora" | "ivo" | "asa" | "lena", Person>;

/** When the projects of the demo were made. */
const BEGINNING = Date.parse("2026-02-02T08:00:00Z");

/** Creates the projects of the demo. */
export function seedDemo(world: JiraWorld, { meridian, nora }: DemoCast): void {
  createProject(world, meridian, {
    key: "OPS",
    name: "Fleet operations",
    description: "Routes, depots and everything between them.",
    leadId: nora.accountId,
    template: "scrum",
    at: BEGINNING,
  });
}
