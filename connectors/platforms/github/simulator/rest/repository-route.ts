import type { Hono } from "hono";
import { reachOf, type Viewer } from "../access.ts";
import { countCreation, secondaryLimit } from "../content-limit.ts";
import { workOffImports } from "../issue-imports.ts";
import type { RepositoryRecords } from "../records.ts";
import type { GithubWorld, Permission, Repository } from "../state.ts";
import {
  notFound,
  problem,
  type RestContext,
  type RestEnv,
  reachRepository,
  requiresAuthentication,
} from "./answers.ts";

/** What a route requires. */
export type RouteNeeds = {
  /** The App's permission that covers the route. */
  permission: Permission;
  /**
   * Access that the viewer needs: see the repository, write below it as any signed-in user may, push, or administer.
   */
  reach: "read" | "signed-in" | "write" | "admin";
  /** Level of the permission. The default is `write` for methods that change something, otherwise `read`. */
  level?: "read" | "write";
  /** The feature that must be switched on. */
  feature?: "issues";
  /** It creates content that notifies others, which the secondary limit counts. */
  isContent?: boolean;
  /** Viewers without access get "Not Found", as GitHub does for routes that only administrators see. */
  isHidden?: boolean;
};

/** What a handler works with. */
export type Asked = {
  c: RestContext;
  world: GithubWorld;
  viewer: Viewer;
  repository: Repository;
  records: RepositoryRecords;
  /** The author of what the request creates. */
  login: string;
  /** Schedules a write of the records. */
  save(): void;
};

/** Adds routes of a repository, by name and by id, behind the same checks. */
export type RepositoryRouter = (
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  needs: RouteNeeds,
  handle: (asked: Asked) => Response | Promise<Response>,
) => void;

const BASES = ["/repos/:owner/:repo", "/repositories/:id{[0-9]+}"] as const;

/** Creates a router that applies these checks to one app's routes. */
export function repositoryRouter(app: Hono<RestEnv>, world: GithubWorld): RepositoryRouter {
  return (method, path, needs, handle) => {
    for (const base of BASES) {
      app.on(method, `${base}${path}`, async (c) => {
        const repository = reachRepository(c, world, "read");
        if (repository instanceof Response) return repository;
        const viewer = c.get("viewer");
        const refusal = refuse(c, world, { viewer, repository, needs });
        if (refusal) return refusal;
        const records = world.records.of(repository);
        // Imports run in the background, so process the ones that are due.
        workOffImports(world, repository, records);
        const answer = await handle({
          c,
          world,
          viewer,
          repository,
          records,
          login: loginOf(world, viewer),
          save: () => {
            world.records.save(repository);
            world.save();
          },
        });
        if (needs.isContent && answer.ok) countCreation(world, viewer);
        return answer;
      });
    }
  };
}

/** The author of a change: the user, or the App's bot. */
export function loginOf(world: GithubWorld, viewer: Viewer): string {
  if (viewer.kind === "user") return viewer.account.login;
  return viewer.kind === "anonymous" ? "ghost" : `${world.settings.appSlug}[bot]`;
}

function refuse(
  c: RestContext,
  world: GithubWorld,
  { viewer, repository, needs }: { viewer: Viewer; repository: Repository; needs: RouteNeeds },
): Response | null {
  const isChange = c.req.method !== "GET";
  const reach = reachOf(world, viewer, repository);
  const order = ["none", "read", "write", "admin"];
  const wanted = needs.reach === "signed-in" ? "read" : needs.reach;
  if (viewer.kind === "anonymous" && needs.reach !== "read") {
    return needs.isHidden ? notFound(c) : requiresAuthentication(c);
  }
  if (order.indexOf(reach) < order.indexOf(wanted)) {
    if (needs.isHidden) return notFound(c);
    const what = wanted === "admin" ? "admin rights" : "push access";
    return problem(c, 403, `Must have ${what} to Repository.`);
  }
  const level = needs.level ?? (isChange ? "write" : "read");
  if (!isGranted(world, viewer, repository, needs.permission, level)) {
    c.header("X-Accepted-GitHub-Permissions", `${needs.permission}=${level}`);
    return problem(c, 403, "Resource not accessible by integration");
  }
  if (isChange && repository.isArchived) {
    return problem(c, 403, "Repository was archived so is read-only.");
  }
  if (needs.feature === "issues" && !repository.hasIssues) {
    return problem(c, 410, "Issues has been disabled in this repository.");
  }
  return needs.isContent ? secondaryLimit(c, world, viewer) : null;
}

/** Scopes alone decide about tokens that have them. Anyone may read what is public. */
export function isGranted(
  world: GithubWorld,
  viewer: Viewer,
  repository: Repository | null,
  permission: Permission,
  level: "read" | "write",
): boolean {
  world.needed.add(`${permission}:${level}`);
  if (viewer.kind === "anonymous" || viewer.kind === "app") return level === "read";
  if (viewer.kind === "user" && viewer.token.scopes) return true;
  const isOpen = repository?.visibility === "public" && level === "read" && permission !== "administration";
  const granted = world.settings.permissions[permission];
  return isOpen || granted === "write" || (granted === "read" && level === "read");
}
