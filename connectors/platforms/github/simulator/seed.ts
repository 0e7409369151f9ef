import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { storeLfsFile } from "#connectors/toolkit/simulator/lfs-server.ts";
import { importHistory, runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { lfsDirectory } from "./lfs.ts";
import { createRepository, gitDirectory } from "./repositories.ts";
import { seedDiscussions, seedGists, seedProject, seedSettings } from "./seed-extras.ts";
import { seedRecords } from "./seed-records.ts";
import { DEMO_REPOSITORIES } from "./seed-repositories.ts";
import { createAccount, type GithubWorld } from "./state.ts";
import { writeWiki } from "./wikis.ts";

/** What the demo's repositories have besides git. Repositories that are not listed have nothing. */
const LIVES: Readonly<
  Record<string, { issues: number; hasDiscussions?: true; hasProject?: true; hasSettings?: true }>
> = {
  "route-planner": { issues: 48, hasDiscussions: true, hasProject: true, hasSettings: true },
  "warehouse-api": { issues: 27, hasSettings: true },
  "driver-app": { issues: 22 },
  handbook: { issues: 14, hasDiscussions: true },
  infrastructure: { issues: 9 },
  "sourdough-log": { issues: 5 },
  "chess-engine": { issues: 7 },
};

/** Seeds a new world: people always, repositories with real histories for the demo only. */
export async function seedDemo(world: GithubWorld, seed: "demo" | "people"): Promise<void> {
  seedPeople(world);
  if (seed === "people") return;
  for (const [index, plan] of DEMO_REPOSITORIES.entries()) {
    const day = String(index + 2).padStart(2, "0");
    const repository = createRepository(world, {
      owner: plan.owner,
      name: plan.name,
      description: plan.description,
      visibility: plan.visibility,
      language: plan.language,
      topics: plan.topics ?? [],
      createdAt: `2024-02-${day}T09:30:00Z`,
      updatedAt: `2026-11-${day}T16:20:00Z`,
      pushedAt: `2026-11-${day}T16:20:00Z`,
    });
    const directory = gitDirectory(world, repository);
    const script = createHistoryScript();
    plan.write(script);
    if (script.parts().length > 0) await importHistory(directory, script.parts());
    for (const bytes of plan.lfsFiles ?? []) storeLfsFile(lfsDirectory(world, repository), bytes);
    if (plan.wiki) await writeWiki(world, repository, plan.wiki);
    if (plan.defaultBranch) runGit(directory, ["symbolic-ref", "HEAD", `refs/heads/${plan.defaultBranch}`]);
    const life = LIVES[plan.name];
    if (life === undefined) continue;
    seedRecords(world, repository, { issues: life.issues, seed: index });
    if (life.hasDiscussions) seedDiscussions(world, repository);
    if (life.hasProject) seedProject(world, repository);
    if (life.hasSettings) seedSettings(world, repository);
  }
  await seedGists(world);
  world.save();
}

/** The people and the organisation of the demo. `nora-lindqvist` signs in. */
function seedPeople(world: GithubWorld): void {
  createAccount(world, {
    type: "User",
    login: "nora-lindqvist",
    name: "Nora Lindqvist",
    email: "nora@meridian.example",
    location: "Gothenburg",
    description: "Platform lead at Meridian Freight",
  });
  createAccount(world, {
    type: "User",
    login: "ivo-petrov",
    name: "Ivo Petrov",
    email: "ivo@meridian.example",
    location: "Plovdiv",
  });
  createAccount(world, {
    type: "Organization",
    login: "meridian-freight",
    name: "Meridian Freight",
    description: "Freight forwarding between the Nordics and the Balkans",
    members: { "nora-lindqvist": "admin", "ivo-petrov": "member" },
  });
}
