import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { serveGitBackend } from "#connectors/toolkit/simulator/git-backend.ts";
import { isFileRequest } from "#connectors/toolkit/simulator/lfs-server.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { identify, isHeldBySso, mayWriteWorkflows, reachOf, type Viewer } from "./access.ts";
import { isLfsPath, isLfsProof, lfsDirectory, lfsOf, serveLfs, serveLfsProof } from "./lfs.ts";
import { followHeads } from "./pull-git.ts";
import { hooksDirectory, rewriteReport } from "./push-rules.ts";
import { fullName, gitDirectory, listRefs, lookUpRepository } from "./repositories.ts";
import { type GithubWorld, type Repository, timestamp } from "./state.ts";
import { hasWikiPages, wikiDirectory } from "./wikis.ts";

const GIT_PATH =
  /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack|\/info\/lfs\/(?:objects\/batch|verify))$/;

/** Whether a request is smart HTTP or belongs to Git LFS. */
export function isGitRequest(url: string): boolean {
  return isFileRequest(url) || GIT_PATH.test(url.split("?")[0] ?? "");
}

/** Serves smart HTTP with the real git, after GitHub's access checks. */
export async function serveGit(
  world: GithubWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", world.webUrl);
  if (isFileRequest(url.pathname)) return lfsOf(world).file(request, response);
  const [, owner = "", name = "", pathInfo = ""] = GIT_PATH.exec(url.pathname) ?? [];
  const isPush = pathInfo === "/git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  const { base, isWiki } = readName(decodeURIComponent(name));
  if (isLfsProof(pathInfo)) {
    return serveLfsProof(world, { owner: decodeURIComponent(owner), name: base }, { request, response });
  }
  const viewer = identify(world, request.headers.authorization);
  if (!viewer)
    return deny(
      response,
      401,
      "Invalid username or token. Password authentication is not supported for Git operations.",
    );
  const door = open(world, viewer, decodeURIComponent(owner), base, isPush);
  switch (door.kind) {
    case "challenge":
      return deny(response, 401, "No anonymous write access.");
    case "refused":
      return deny(response, door.status, door.message);
    case "moved":
      if (request.method !== "GET") return deny(response, 404, "");
      response.writeHead(301, {
        Location: `${world.webUrl}/${fullName(door.repository)}${isWiki ? ".wiki" : ""}.git${pathInfo}${url.search}`,
      });
      response.end();
      return;
    case "open":
      break;
  }
  const { repository } = door;
  if (isLfsPath(pathInfo)) {
    return serveLfs(world, { viewer, repository }, { request, response });
  }
  if (isWiki) return serveWiki(world, repository, pathInfo, { request, response });
  if (isPush) return receive(world, viewer, repository, pathInfo, { request, response });
  await serveGitBackend(request, response, {
    repository: gitDirectory(world, repository),
    pathInfo,
    config: {
      "uploadpack.allowFilter": "true",
      "uploadpack.allowTipSHA1InWant": "true",
      "uploadpack.allowReachableSHA1InWant": "true",
    },
  });
}

/** `api.wiki` is the wiki of `api`. */
function readName(name: string): { base: string; isWiki: boolean } {
  const base = name.replace(/\.wiki$/, "");
  return { base, isWiki: base !== name };
}

/**
 * Serves a wiki. Its git repository exists from the first page on, which only the web site can create. Until then even
 * a push returns 404.
 */
async function serveWiki(
  world: GithubWorld,
  repository: Repository,
  pathInfo: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if (!repository.hasWiki || !hasWikiPages(world, repository)) {
    return deny(response, 404, "Repository not found.");
  }
  await serveGitBackend(request, response, {
    repository: wikiDirectory(world, repository),
    pathInfo,
    config: {
      "uploadpack.allowTipSHA1InWant": "true",
      "uploadpack.allowReachableSHA1InWant": "true",
      "receive.fsckObjects": "true",
      "receive.maxInputSize": String(world.settings.pushLimitBytes),
      "receive.autogc": "false",
    },
  });
}

type Door =
  | { kind: "open"; repository: Repository }
  | { kind: "moved"; repository: Repository }
  | { kind: "challenge" }
  | { kind: "refused"; status: number; message: string };

function open(world: GithubWorld, viewer: Viewer, owner: string, name: string, isPush: boolean): Door {
  const lookup = lookUpRepository(world, owner, name);
  const isUnseen = lookup.kind === "missing" || reachOf(world, viewer, lookup.repository) === "none";
  // Without credentials, missing and private repositories look the same: both request credentials.
  if (viewer.kind === "anonymous" && (isUnseen || isPush)) return { kind: "challenge" };
  if (lookup.kind === "missing" || isUnseen) return { kind: "refused", status: 404, message: "" };
  const { repository } = lookup;
  if (isHeldBySso(world, viewer, repository.owner)) {
    const message = `The '${repository.owner}' organization has enabled or enforced SAML SSO.`;
    return { kind: "refused", status: 403, message };
  }
  if (repository.isBlocked) {
    return { kind: "refused", status: 451, message: "Repository unavailable due to DMCA takedown." };
  }
  if (lookup.kind === "moved") return { kind: "moved", repository };
  if (!isPush) return { kind: "open", repository };
  const reach = reachOf(world, viewer, repository);
  if (reach === "read" || repository.external) {
    const who = viewer.kind === "user" ? viewer.account.login : "the App";
    const message = `Permission to ${fullName(repository)}.git denied to ${who}.`;
    return { kind: "refused", status: 403, message };
  }
  if (repository.isArchived) {
    return { kind: "refused", status: 403, message: "This repository was archived so it is read-only." };
  }
  return { kind: "open", repository };
}

async function receive(
  world: GithubWorld,
  viewer: Viewer,
  repository: Repository,
  pathInfo: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const directory = gitDirectory(world, repository);
  const notes = mkdtempSync(path.join(tmpdir(), "github-push-"));
  const isWork = pathInfo === "/git-receive-pack";
  const refs = () => runGit(directory, ["for-each-ref"]);
  const before = isWork ? refs() : "";
  let isSettled = false;
  const settle = () => {
    if (isSettled || repository.isDeleted || refs() === before) return;
    isSettled = true;
    adoptFirstBranch(world, repository);
    repository.pushedAt = timestamp();
    repository.updatedAt = repository.pushedAt;
    followHeads(world, repository);
    world.save();
  };
  try {
    await serveGitBackend(request, response, {
      repository: directory,
      pathInfo,
      config: {
        "core.hooksPath": hooksDirectory(world.directory),
        "receive.fsckObjects": "true",
        "receive.hideRefs": "refs/pull",
        "receive.maxInputSize": String(world.settings.pushLimitBytes),
        "receive.autogc": "false",
        "receive.unpackLimit": "100",
      },
      environment: {
        SIM_NOTES: notes,
        SIM_LFS: lfsDirectory(world, repository),
        SIM_MAY_WRITE_WORKFLOWS: mayWriteWorkflows(world, viewer) ? "yes" : "no",
        SIM_PUSHER: viewer.kind === "user" && viewer.token.scopes ? "an OAuth App" : "a GitHub App",
        SIM_PUSHER_NEEDS:
          viewer.kind === "user" && viewer.token.scopes ? "`workflow` scope" : "`workflows` permission",
        SIM_FILE_LIMIT: String(world.settings.fileLimitBytes),
        SIM_PUSH_PROTECTION: repository.hasPushProtection ? "on" : "off",
      },
      rewrite: isWork ? (body: Readable) => lastAfter(rewriteReport(body, notes), settle) : undefined,
    });
  } finally {
    rmSync(notes, { recursive: true, force: true });
    if (isWork) settle();
  }
}

/** Holds back the last part until `settle` has run. A client that has seen the end of a push also sees its effects. */
async function* lastAfter(parts: AsyncIterable<Uint8Array>, settle: () => void): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | null = null;
  for await (const part of parts) {
    if (held) yield held;
    held = part;
  }
  settle();
  if (held) yield held;
}

/** The first branch that is pushed to an empty repository becomes its default branch, whatever its name. */
function adoptFirstBranch(world: GithubWorld, repository: Repository): void {
  const directory = gitDirectory(world, repository);
  const branches = listRefs(world, repository, "refs/heads/");
  const head = runGit(directory, ["symbolic-ref", "HEAD"]).trim();
  const first = branches[0];
  if (!first || branches.some(({ name }) => `refs/heads/${name}` === head)) return;
  runGit(directory, ["symbolic-ref", "HEAD", `refs/heads/${first.name}`]);
}

function deny(response: ServerResponse, status: number, message: string): void {
  const headers: Record<string, string> = { "Content-Type": "text/plain; charset=utf-8" };
  if (status === 401) headers["WWW-Authenticate"] = 'Basic realm="GitHub"';
  response.writeHead(status, headers);
  response.end(message);
}
