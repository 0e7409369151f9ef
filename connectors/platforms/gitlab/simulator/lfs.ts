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
  const directoryOf = (id: string) => path.join(world.directory, "lfs", id);
  const server = createLfsServer({ origin: world.url, directoryOf });
  servers.set(world, server);
  return server;
}

/** Folder of a project's files of Git LFS, whether it exists or not. */
export function lfsDirectory(world: GitlabWorld, project: Project): string {
  return path.join(world.directory, "lfs", String(project.id));
}

/** Bytes of a project's files of Git LFS. */
export function lfsBytes(world: GitlabWorld, project: Project): number {
  const directory = lfsDirectory(world, project);
  if (!existsSync(directory)) return 0;
  return readdirSync(directory).reduce((sum, file) => sum + statSync(path.join(directory, file)).size, 0);
}

/** How a project's LFS is reached, and whether who asks may write. */
export function lfsDoor(world: GitlabWorld, project: Project, mayWrite: boolean): LfsDoor {
  return { repository: String(project.id), url: `${world.url}/${fullPath(world, project)}.git`, mayWrite };
}

/** Answers whether an upload has arrived: that request has its own proof instead of a sign-in. */
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
