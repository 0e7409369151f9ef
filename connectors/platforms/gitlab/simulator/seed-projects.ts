import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { importHistory } from "#connectors/toolkit/simulator/run-git.ts";
import { ordinaryHistory } from "#connectors/toolkit/simulator/seed-prose.ts";
import { protectDefaultBranch } from "./git.ts";
import { codeDirectory, createProject } from "./projects.ts";
import type { Cast } from "./seed.ts";
import type { GitlabWorld } from "./state.ts";

/** Projects of the demo. */
export async function seedProjects(
  world: GitlabWorld,
  { nora, freight, docks, harbour }: Cast,
): Promise<void> {
  const plans = [
    { namespaceId: nora.namespaceId, path: "route-planner", name: "Route Planner" },
    { namespaceId: nora.namespaceId, path: "notes", name: "Notes" },
    { namespaceId: freight.id, path: "customs-api", name: "Customs API" },
    { namespaceId: freight.id, path: "handbook", name: "Handbook" },
    { namespaceId: docks.id, path: "slot-booking", name: "Slot Booking" },
    { namespaceId: docks.id, path: "empty-yard", name: "Empty Yard" },
    { namespaceId: harbour.id, path: "crane", name: "Crane" },
  ];
  for (const [index, plan] of plans.entries()) {
    const day = String(index + 2).padStart(2, "0");
    const project = createProject(world, {
      ...plan,
      creatorId: nora.id,
      createdAt: `2024-02-${day}T09:30:00.000Z`,
    });
    if (plan.path === "empty-yard") continue;
    const script = createHistoryScript();
    ordinaryHistory(script, {
      seed: index + 40,
      commits: 12 + index * 7,
      folder: plan.path,
      extension: "md",
    });
    await importHistory(codeDirectory(world, project), script.parts());
    protectDefaultBranch(world, project);
  }
}
