import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { serveGitBackend } from "#connectors/toolkit/simulator/git-backend.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { isFileRequest } from "#connectors/toolkit/simulator/lfs-server.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import {
  gitScopes,
  identifyToken,
  LEVEL,
  levelIn,
  mayReadCode,
  mayUse,
  reachOfSnippet,
  type Viewer,
} from "./access.ts";
import { isBare, listRefs } from "./bare.ts";
import { lfsDirectory, lfsDoor, lfsOf, serveLfsProof } from "./lfs.ts";
import { followSourceBranches } from "./merge-request-refs.ts";
import { codeDirectory, fullPath, lookUpProject, touchProject, wikiDirectory } from "./projects.ts";
import { hooksDirectory } from "./push-rules.ts";
import { count, used } from "./rate-limit.ts";
import { SNIPPET_FILE_LIMIT, snippetDirectory } from "./snippets.ts";
import { type GitlabWorld, nextId, type Project, type Snippet, timestamp } from "./state.ts";

const GIT_PATH =
  /^\/(.+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack|\/info\/lfs\/(?:objects\/batch|verify))$/;
const MISSING =
  "The project you were looking for could not be found or you don't have permission to view it.";
const NO_WRITE = "You are not allowed to push code to this project.";
const CHALLENGE =
  "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password.";
/** GitLab's internal refs: anyone may fetch them, nobody may push them. */
const HIDDEN = ["refs/merge-requests", "refs/keep-around", "refs/pipelines", "refs/environments", "refs/tmp"];

/** Whether a request is for smart HTTP or Git LFS. */
export function isGitRequest(url: string): boolean {
  return isFileRequest(url) || GIT_PATH.test(url.split("?")[0] ?? "");
}

/** Reads git's credentials: user `oauth2`, the token as password. Null when they are wrong; anonymous when absent. */
export function identifyGit(world: GitlabWorld, authorization: string | undefined): Viewer | null {
  const [scheme = "", value = ""] = (authorization ?? "").split(" ", 2);
  if (scheme === "") return { kind: "anonymous" };
  const [user = "", password = ""] = Buffer.from(value, "base64").toString().split(":", 2);
  const isBasic = scheme.toLowerCase() === "basic";
  const identity = identifyToken(world, isBasic && user === "oauth2" ? password : isBasic ? "" : value);
  return identity.kind === "user" || identity.kind === "anonymous" ? identity : null;
}

/** Whether the address is banned: it had too many failed sign-ins within a minute. A ban ignores credentials. */
export function isBanned(world: GitlabWorld): boolean {
  return used(world, "failed sign-ins") > world.settings.failedAuthLimit;
}

/** Serves smart HTTP: GitLab's access checks in front of the real git. */
export async function serveGit(
  world: GitlabWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", world.url);
  if (isFileRequest(url.pathname)) return lfsOf(world).file(request, response);
  const [, name = "", pathInfo = ""] = GIT_PATH.exec(url.pathname) ?? [];
  const isPush = pathInfo === "/git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  if (isBanned(world)) return deny(response, 403, "Forbidden\n");
  if (pathInfo === "/info/lfs/verify") {
    return serveLfsProof(world, decodeURIComponent(name), { request, response });
  }
  const viewer = identifyGit(world, request.headers.authorization);
  const door: Door =
    viewer === null ? { kind: "challenge" } : open(world, viewer, decodeURIComponent(name), isPush);
  switch (door.kind) {
    case "challenge":
      count(world, "failed sign-ins", world.settings.failedAuthLimit);
      return deny(response, 401, CHALLENGE);
    case "refused":
      return deny(response, door.status, door.message);
    case "moved":
      response.writeHead(301, { Location: `${world.url}/${door.path}.git${pathInfo}${url.search}` });
      response.end();
      return;
    case "open":
      break;
  }
  if (pathInfo.startsWith("/info/lfs/")) {
    if (door.what !== "code" || !door.project.hasLfs) return deny(response, 404, "");
    const canPush = viewer?.kind === "user" && gitScopes(viewer.token.scopes).canPush;
    const mayWrite = canPush && door.level >= LEVEL.developer && !door.project.isArchived;
    return lfsOf(world).batch(request, response, lfsDoor(world, door.project, mayWrite));
  }
  if (isPush) return receive(world, door, pathInfo, { request, response });
  await serveGitBackend(request, response, {
    repository: door.directory,
    pathInfo,
    config: { "uploadpack.allowFilter": "true", "uploadpack.allowAnySHA1InWant": "true" },
  });
}

type OpenDoor = { kind: "open"; directory: string; level: number } & (
  | { what: "code" | "wiki"; project: Project }
  | { what: "snippet"; snippet: Snippet }
);
type Door =
  | OpenDoor
  | { kind: "moved"; path: string }
  | { kind: "challenge" }
  | { kind: "refused"; status: number; message: string };

function open(world: GitlabWorld, viewer: Viewer, name: string, isPush: boolean): Door {
  const scopes = viewer.kind === "user" ? gitScopes(viewer.token.scopes) : { canPull: true, canPush: false };
  if (viewer.kind === "user" && !(isPush ? scopes.canPush : scopes.canPull)) {
    const message = isPush ? "You are not allowed to upload code." : "You are not allowed to download code.";
    return { kind: "refused", status: 403, message };
  }
  const snippet = /^(?:.+\/)?snippets\/(\d+)$/.exec(name)?.[1];
  const door =
    snippet === undefined
      ? openProject(world, viewer, name, isPush)
      : openSnippet(world, viewer, Number(snippet), isPush);
  // Without credentials, everything that is not public responds with a challenge, whether it exists or not.
  if (viewer.kind === "anonymous" && (isPush || door.kind === "refused")) return { kind: "challenge" };
  return door;
}

function openProject(world: GitlabWorld, viewer: Viewer, name: string, isPush: boolean): Door {
  const isWiki = name.endsWith(".wiki");
  const lookup = lookUpProject(world, isWiki ? name.slice(0, -".wiki".length) : name);
  // A project's id is not a repository path.
  if (lookup.kind === "missing" || /^\d+$/.test(name))
    return { kind: "refused", status: 404, message: MISSING };
  const { project } = lookup;
  const level = levelIn(world, viewer, project);
  const isOff = project.settings.repository_access_level === "disabled";
  const mayRead = isWiki ? mayUse(project.wikiAccess, level) : !isOff && mayReadCode(project, level);
  if (level === 0) return { kind: "refused", status: 404, message: MISSING };
  if (!mayRead)
    return {
      kind: "refused",
      status: 403,
      message: "You are not allowed to download code from this project.",
    };
  if (lookup.kind === "moved")
    return { kind: "moved", path: `${fullPath(world, project)}${isWiki ? ".wiki" : ""}` };
  if (isPush && (level < LEVEL.developer || project.external))
    return { kind: "refused", status: 403, message: NO_WRITE };
  if (isPush && (project.isArchived || project.markedForDeletionOn !== null)) {
    return { kind: "refused", status: 403, message: "You can't push code to an archived project." };
  }
  const directory = isWiki ? wikiDirectory(world, project) : codeDirectory(world, project);
  if (isWiki && isPush) initBare(directory);
  if (!isBare(directory))
    return { kind: "refused", status: 404, message: "A repository for this project does not exist yet." };
  return { kind: "open", what: isWiki ? "wiki" : "code", project, directory, level };
}

function openSnippet(world: GitlabWorld, viewer: Viewer, id: number, isPush: boolean): Door {
  const snippet = world.state.snippets.find((known) => known.id === id);
  const reach = snippet ? reachOfSnippet(world, viewer, snippet) : "none";
  if (!snippet || reach === "none") {
    const message =
      "The snippet you were looking for could not be found or you don't have permission to view it.";
    return { kind: "refused", status: 404, message };
  }
  if (isPush && reach !== "write") {
    return { kind: "refused", status: 403, message: "You are not allowed to update this snippet." };
  }
  return {
    kind: "open",
    what: "snippet",
    snippet,
    directory: snippetDirectory(world, snippet),
    level: LEVEL.owner,
  };
}

async function receive(
  world: GitlabWorld,
  door: OpenDoor,
  pathInfo: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { directory } = door;
  const notes = mkdtempSync(path.join(tmpdir(), "gitlab-push-"));
  const isWork = pathInfo === "/git-receive-pack";
  const refs = () => runGit(directory, ["for-each-ref"]);
  const before = isWork ? refs() : "";
  let isSettled = false;
  const settle = () => {
    if (isSettled || !isBare(directory) || refs() === before) return;
    isSettled = true;
    afterPush(world, door);
  };
  try {
    await serveGitBackend(request, response, {
      repository: directory,
      pathInfo,
      config: {
        "core.hooksPath": hooksDirectory(world.directory),
        "receive.fsckObjects": "true",
        "receive.maxInputSize": String(world.settings.pushLimitBytes),
        "receive.autogc": "false",
        "receive.hideRefs": HIDDEN,
      },
      environment: pushEnvironment(world, door, notes),
      rewrite: isWork ? (body: Readable) => lastAfter(body, settle) : undefined,
    });
  } finally {
    rmSync(notes, { recursive: true, force: true });
    if (isWork) settle();
  }
}

function pushEnvironment(world: GitlabWorld, door: OpenDoor, notes: string): Record<string, string> {
  const head = runGit(door.directory, ["symbolic-ref", "HEAD"]).trim();
  const rules = door.what === "code" ? door.project.protectedBranches : [];
  const lines = rules.map(({ name, pushLevel, allowsForcePush }) =>
    [name, pushLevel > 0 && door.level >= pushLevel ? "yes" : "no", allowsForcePush ? "yes" : "no"].join(
      "\t",
    ),
  );
  return {
    SIM_KIND: door.what,
    SIM_NOTES: notes,
    SIM_DEFAULT: head,
    SIM_PROTECTED: lines.join("\n"),
    SIM_FILE_LIMIT: String(SNIPPET_FILE_LIMIT),
    SIM_LFS: door.what === "code" && door.project.hasLfs ? lfsDirectory(world, door.project) : "",
  };
}

/**
 * What GitLab does after a push: the first branch becomes the default branch and is protected against force pushes and
 * developers, and merge requests follow their branches.
 */
function afterPush(world: GitlabWorld, door: OpenDoor): void {
  if (door.what === "snippet") {
    door.snippet.updatedAt = timestamp();
    world.save();
    return;
  }
  const { project, directory } = door;
  const branches = listRefs(directory, "refs/heads/");
  const head = runGit(directory, ["symbolic-ref", "HEAD"]).trim();
  if (branches[0] && !branches.some(({ name }) => `refs/heads/${name}` === head)) {
    runGit(directory, ["symbolic-ref", "HEAD", `refs/heads/${branches[0].name}`]);
  }
  if (door.what === "code") {
    protectDefaultBranch(world, project);
    followSourceBranches(world, project);
  }
  touchProject(world, project);
}

/** Protects the default branch once the project has a branch, unless it is already protected. */
export function protectDefaultBranch(world: GitlabWorld, project: Project): void {
  if (project.isFilled) return;
  const directory = codeDirectory(world, project);
  if (listRefs(directory, "refs/heads/").length === 0) return;
  project.isFilled = true;
  const name = runGit(directory, ["symbolic-ref", "--short", "HEAD"]).trim();
  if (project.protectedBranches.some((rule) => rule.name === name)) return;
  const level = LEVEL.maintainer;
  project.protectedBranches.push({
    id: nextId(world.state),
    name,
    pushLevel: level,
    mergeLevel: level,
    allowsForcePush: false,
  });
}

/** Holds back the last part until `settle` has run, so a client that has seen the end of a push sees its effects. */
async function* lastAfter(parts: AsyncIterable<Uint8Array>, settle: () => void): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | null = null;
  for await (const part of parts) {
    if (held) yield held;
    held = part;
  }
  settle();
  if (held) yield held;
}

function deny(response: ServerResponse, status: number, message: string): void {
  const headers: Record<string, string> = { "Content-Type": "text/plain; charset=utf-8" };
  if (status === 401) headers["WWW-Authenticate"] = 'Basic realm="GitLab"';
  response.writeHead(status, headers);
  response.end(message);
}
