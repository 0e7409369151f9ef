import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { serveGitBackend } from "#connectors/toolkit/simulator/git-backend.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { identify, type Viewer } from "./access.ts";
import { gistDirectory } from "./gists.ts";
import { mayUseGists } from "./rest/gists.ts";
import { type Gist, type GithubWorld, timestamp } from "./state.ts";

const GIST_PATH = /^\/([0-9a-f]{32})\.git(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/;

/** Whether a request is smart HTTP for a gist. */
export function isGistRequest(url: string): boolean {
  return GIST_PATH.test(url.split("?")[0] ?? "");
}

/** Serves smart HTTP for a gist. Anyone with the id may read. The owner may push with a token that covers gists. */
export async function serveGist(
  world: GithubWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", world.webUrl);
  const [, id = "", pathInfo = ""] = GIST_PATH.exec(url.pathname) ?? [];
  const isPush = pathInfo === "/git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  const viewer = identify(world, request.headers.authorization);
  const deny = (status: number, message: string) => {
    const challenge = status === 401 ? { "WWW-Authenticate": 'Basic realm="GitHub"' } : {};
    response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", ...challenge });
    response.end(message);
  };
  if (!viewer) return deny(401, "Invalid username or token.");
  const gist = world.state.gists.find((known) => known.id === id);
  if (!gist || !existsSync(gistDirectory(world, gist))) {
    return viewer.kind === "anonymous" ? deny(401, "") : deny(404, "");
  }
  if (isPush) {
    if (viewer.kind === "anonymous") return deny(401, "No anonymous write access.");
    if (!mayPush(world, viewer, gist)) return deny(403, `Permission to ${id}.git denied.`);
  }
  const refs = () => runGit(gistDirectory(world, gist), ["for-each-ref"]);
  const before = pathInfo === "/git-receive-pack" ? refs() : null;
  await serveGitBackend(request, response, {
    repository: gistDirectory(world, gist),
    pathInfo,
    config: { "receive.fsckObjects": "true", "receive.denyDeleteCurrent": "ignore" },
  });
  if (before === null || refs() === before) return;
  gist.updatedAt = timestamp();
  world.save();
}

function mayPush(world: GithubWorld, viewer: Viewer, gist: Gist): boolean {
  return viewer.kind === "user" && viewer.account.login === gist.owner && mayUseGists(world, viewer, "write");
}
