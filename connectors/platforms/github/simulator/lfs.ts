import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { createLfsServer, type LfsDoor, type LfsServer } from "#connectors/toolkit/simulator/lfs-server.ts";
import { reachOf, type Viewer } from "./access.ts";
import { fullName, gitDirectory, lookUpRepository } from "./repositories.ts";
import type { GithubWorld, Repository } from "./state.ts";

const servers = new WeakMap<GithubWorld, LfsServer>();

/** The LFS server of a simulated GitHub. */
export function lfsOf(world: GithubWorld): LfsServer {
  let server = servers.get(world);
  if (server === undefined) {
    server = createLfsServer({
      origin: world.webUrl,
      directoryOf: (id) => {
        const repository = world.state.repositories.find((one) => String(one.id) === id);
        if (repository === undefined) throw new Error(`There is no repository ${id}`);
        return lfsDirectory(world, repository);
      },
    });
    servers.set(world, server);
  }
  return server;
}

/**
 * Folder of a repository's LFS files, which may not exist. For an external repository, it is where git-lfs stores them.
 */
export function lfsDirectory(world: GithubWorld, repository: Repository): string {
  if (repository.external !== null) return path.join(repository.external, "lfs/objects");
  return gitDirectory(world, repository).replace(/\.git$/, ".lfs");
}

/** Whether the rest of a git path belongs to LFS. */
export function isLfsPath(pathInfo: string): boolean {
  return pathInfo.startsWith("/info/lfs/");
}

/** Whether the request confirms an upload. It carries its own proof instead of credentials. */
export function isLfsProof(pathInfo: string): boolean {
  return pathInfo === "/info/lfs/verify";
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Serves the batch API for a repository that the viewer can see. */
export async function serveLfs(
  world: GithubWorld,
  { viewer, repository }: { viewer: Viewer; repository: Repository },
  { request, response }: Exchange,
): Promise<void> {
  const reach = reachOf(world, viewer, repository);
  const mayWrite = ["write", "admin"].includes(reach) && !repository.isArchived;
  await lfsOf(world).batch(request, response, doorOf(world, repository, mayWrite));
}

/** Serves the request that confirms an upload. */
export async function serveLfsProof(
  world: GithubWorld,
  { owner, name }: { owner: string; name: string },
  { request, response }: Exchange,
): Promise<void> {
  const lookup = lookUpRepository(world, owner, name);
  if (lookup.kind === "missing") {
    response.writeHead(404);
    response.end();
    return;
  }
  await lfsOf(world).verify(request, response, doorOf(world, lookup.repository, true));
}

function doorOf(world: GithubWorld, repository: Repository, mayWrite: boolean): LfsDoor {
  const url = `${world.webUrl}/${fullName(repository)}.git`;
  return { repository: String(repository.id), url, mayWrite };
}
