import { createVerify } from "node:crypto";
import {
  type Account,
  findAccount,
  type GithubWorld,
  type Installation,
  type Repository,
  type Token,
} from "./state.ts";

/** The client of a request. */
export type Viewer =
  | { kind: "anonymous" }
  | { kind: "user"; account: Account; token: Token }
  | { kind: "installation"; installation: Installation; token: Token }
  | { kind: "app" };

/** Reads the credentials of a request. Returns null when they are wrong; a request without credentials is anonymous. */
export function identify(world: GithubWorld, authorization: string | undefined): Viewer | null {
  if (!authorization) return { kind: "anonymous" };
  if (world.state.isAppDeleted) return null;
  const [scheme = "", value = ""] = authorization.split(" ", 2);
  switch (scheme.toLowerCase()) {
    case "bearer":
    case "token":
      return value.split(".").length === 3 ? identifyApp(world, value) : identifyToken(world, value);
    case "basic": {
      const [user = "", password = ""] = Buffer.from(value, "base64").toString().split(":", 2);
      return identifyToken(world, password === "" || password === "x-oauth-basic" ? user : password);
    }
    default:
      return null;
  }
}

function identifyToken(world: GithubWorld, value: string): Viewer | null {
  const token = world.state.tokens.find((candidate) => candidate.value === value);
  if (!token || token.isRevoked || token.expiresAt <= Date.now()) return null;
  if (token.kind === "installation") {
    const installation = world.state.installations.find(({ id }) => id === token.installationId);
    return installation ? { kind: "installation", installation, token } : null;
  }
  const account = token.login === null ? null : findAccount(world, token.login);
  return account ? { kind: "user", account, token } : null;
}

/** An App authenticates with an RS256 JWT that is valid for at most ten minutes. */
function identifyApp(world: GithubWorld, jwt: string): Viewer | null {
  const [head = "", body = "", signature = ""] = jwt.split(".");
  if (!world.settings.appPublicKey) return null;
  const header = readJson(head);
  const claims = readJson(body);
  const now = Date.now() / 1000;
  const isSigned =
    header.alg === "RS256" &&
    createVerify("RSA-SHA256")
      .update(`${head}.${body}`)
      .verify(world.settings.appPublicKey, Buffer.from(signature, "base64url"));
  const isOurs = [String(world.settings.appId), world.settings.clientId].includes(String(claims.iss));
  const isCurrent =
    Number(claims.iat) <= now + 60 && Number(claims.exp) > now && Number(claims.exp) <= now + 660;
  return isSigned && isOurs && isCurrent ? { kind: "app" } : null;
}

function readJson(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What a viewer can do with a repository. */
export type Reach = "none" | "read" | "write" | "admin";

/**
 * How far a viewer can reach a repository. GitHub treats hidden repositories as missing, so one function serves every
 * check.
 */
export function reachOf(world: GithubWorld, viewer: Viewer, repository: Repository): Reach {
  const open: Reach = repository.visibility === "public" ? "read" : "none";
  switch (viewer.kind) {
    case "anonymous":
    case "app":
      return open;
    case "installation":
      return covers(viewer.installation, repository) ? "admin" : open;
    case "user": {
      const reach = userReach(world, viewer.account.login, repository);
      if (reach === "none") return open;
      const { scopes } = viewer.token;
      if (scopes) {
        if (scopes.includes("repo")) return reach;
        return repository.visibility === "public" && scopes.includes("public_repo") ? reach : open;
      }
      return isInstalled(world, repository) ? reach : open;
    }
  }
}

/** The user's own access, regardless of the token. */
export function userReach(world: GithubWorld, login: string, repository: Repository): Reach {
  if (repository.owner === login) return "admin";
  const role = findAccount(world, repository.owner)?.members[login];
  if (role) return role === "admin" ? "admin" : "write";
  const { collaborators } = world.records.of(repository).settings;
  switch (collaborators.find((known) => known.login === login)?.role) {
    case "admin":
      return "admin";
    case "write":
    case "maintain":
      return "write";
    case "read":
    case "triage":
      return "read";
    case undefined:
      return "none";
  }
}

/** Whether an installation covers the repository and is not suspended. */
export function covers(installation: Installation, repository: Repository): boolean {
  if (installation.account !== repository.owner || installation.suspendedAt) return false;
  return installation.repositoryIds === null || installation.repositoryIds.includes(repository.id);
}

function isInstalled(world: GithubWorld, repository: Repository): boolean {
  return world.state.installations.some((installation) => covers(installation, repository));
}

/** Whether the organisation enforces SAML, which keeps this token out. */
export function isHeldBySso(world: GithubWorld, viewer: Viewer, owner: string): boolean {
  return viewer.kind === "user" && findAccount(world, owner)?.isSsoEnforced === true;
}

/** Whether a push may change workflow files. */
export function mayWriteWorkflows(world: GithubWorld, viewer: Viewer): boolean {
  if (viewer.kind === "user" && viewer.token.scopes) return viewer.token.scopes.includes("workflow");
  return world.settings.canWriteWorkflows;
}
