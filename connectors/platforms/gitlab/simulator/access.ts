import { groupLevel, projectLevel } from "./namespaces.ts";
import type { Access, GitlabWorld, Group, Project, Snippet, Token, User, Visibility } from "./state.ts";

/** Who sends the request. */
export type Viewer = { kind: "anonymous" } | { kind: "user"; user: User; token: Token };

/** The result of reading credentials. */
export type Identity = Viewer | { kind: "unknown" | "expired" | "revoked" };

/** Access levels by name. */
export const LEVEL = {
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;

/** Identifies the user of a token. */
export function identifyToken(world: GitlabWorld, value: string | null): Identity {
  if (value === null) return { kind: "anonymous" };
  const token = world.state.tokens.find((candidate) => candidate.value === value);
  const user = token && world.state.users.find(({ id }) => id === token.userId);
  if (!token || !user) return { kind: "unknown" };
  if (token.isRevoked) return { kind: "revoked" };
  if (token.expiresAt <= Date.now()) return { kind: "expired" };
  return { kind: "user", user, token };
}

/** The token of an API request: a bearer token, a `PRIVATE-TOKEN` header or a parameter. */
export function tokenOf(
  headers: (name: string) => string | undefined,
  query: URLSearchParams,
): string | null {
  const bearer = /^bearer\s+(.+)$/i.exec(headers("authorization") ?? "")?.[1];
  return bearer ?? headers("private-token") ?? query.get("access_token") ?? query.get("private_token");
}

/** A viewer's level in a project: the member's level, 1 = may only see it, 0 = may not see it. */
export function levelIn(world: GitlabWorld, viewer: Viewer, project: Project): number {
  const open = isOpen(viewer, project.visibility) ? 1 : 0;
  return viewer.kind === "user" ? Math.max(open, projectLevel(world, viewer.user.id, project)) : open;
}

/** A viewer's level in a group, as in {@link levelIn}. */
export function levelInGroup(world: GitlabWorld, viewer: Viewer, group: Group): number {
  const open = isOpen(viewer, group.visibility) ? 1 : 0;
  return viewer.kind === "user" ? Math.max(open, groupLevel(world, viewer.user.id, group)) : open;
}

/** Whether a viewer of that level may use a part of a project. */
export function mayUse(access: Access, level: number): boolean {
  return access === "enabled" ? level >= 1 : access === "private" && level >= LEVEL.guest;
}

/** Whether a viewer of that level may read the code. Guests of a private project may not. */
export function mayReadCode(project: Project, level: number): boolean {
  return project.visibility === "private" ? level >= LEVEL.reporter : level >= 1;
}

/** Whether a viewer may read or change a snippet. */
export function reachOfSnippet(
  world: GitlabWorld,
  viewer: Viewer,
  snippet: Snippet,
): "none" | "read" | "write" {
  const isAuthor = viewer.kind === "user" && viewer.user.id === snippet.authorId;
  const project = world.state.projects.find(({ id }) => id === snippet.projectId);
  if (snippet.projectId === null) {
    if (isAuthor) return "write";
    return isOpen(viewer, snippet.visibility) ? "read" : "none";
  }
  if (!project || project.isDeleted) return "none";
  const level = levelIn(world, viewer, project);
  if (!mayUse(project.snippetsAccess, level)) return "none";
  if (level >= LEVEL.maintainer || (isAuthor && level >= LEVEL.reporter)) return "write";
  if (level >= LEVEL.guest) return "read";
  return isOpen(viewer, snippet.visibility) ? "read" : "none";
}

/** What the scopes allow in git. */
export function gitScopes(scopes: readonly string[]): { canPull: boolean; canPush: boolean } {
  const canPush = scopes.includes("api") || scopes.includes("write_repository");
  return { canPull: canPush || scopes.includes("read_repository"), canPush };
}

function isOpen(viewer: Viewer, visibility: Visibility): boolean {
  return visibility === "public" || (visibility === "internal" && viewer.kind === "user");
}
