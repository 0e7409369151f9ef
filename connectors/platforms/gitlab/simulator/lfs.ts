import { existsSync, readdirSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { createLfsServer, type LfsDoor, type LfsServer } from "#connectors/toolkit/simulator/lfs-server.ts";
import { fullPath, lookUpProject } from "./projects.ts";
import type { GitlabWorld, Project } from "./state.ts";

const servers = new WeakMap<GitlabWorld, LfsServer>();

/** The LFS server of a simulated GitLab. */
export function lfsOf(world: GitlabWorld): LfsServer {
  const known = servers.get(world);
  if (known) return known;
  const directoryOf = (id: string) => {
    const project = world.state.projects.find((one) => String(one.id) === id);
    if (project === undefined) throw new Error(`There is no project ${id}`);
    return lfsDirectory(world, project);
  };
  const server = createLfsServer({ origin: world.url, directoryOf });
  servers.set(world, server);
  return server;
}

/** Folder of a project's Git LFS files; it may not exist. For an external repository, git-lfs's own folder. */
export function lfsDirectory(world: GitlabWorld, project: Project): string {
  if (project.external !== null) return path.join(project.external, "lfs/objects");
  return path.join(world.directory, "lfs", String(project.id));
}

/** Total size of a project's Git LFS files. */
export function lfsBytes(world: GitlabWorld, project: Project): number {
  const directory = lfsDirectory(world, project);
  if (!existsSync(directory)) return 0;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** The LFS URL of a project, and whether the viewer may write. */
export function lfsDoor(world: GitlabWorld, project: Project, mayWrite: boolean): LfsDoor {
  return { repository: String(project.id), url: `${world.url}/${fullPath(world, project)}.git`, mayWrite };
}

/** Responds whether an upload has arrived. That request carries its own signature instead of a sign-in. */
export async function serveLfsProof(
  world: GitlabWorld,
  name: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const lookup = lookUpProject(world, name);
  if (lookup.kind !== "missing")
    return lfsOf(world).verify(request, response, lfsDoor(world, lookup.project, true));
  response.writeHead(404);
  response.end();
}
