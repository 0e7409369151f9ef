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

/** What a route wants before it is asked. */
export type RouteNeeds = {
  /** The App's permission that covers the route. */
  permission: Permission;
  /** What the viewer must be able to do: see it, write below it as anybody signed in may, push, or administer. */
  reach: "read" | "signed-in" | "write" | "admin";
  /** Level of the permission; reading unless the method changes something. */
  level?: "read" | "write";
  /** The feature that must be switched on. */
  feature?: "issues";
  /** It creates a text that others are told of, which the secondary limit counts. */
  isContent?: boolean;
  /** Whoever may not is told "Not Found", as GitHub does for what only administrators see. */
  isHidden?: boolean;
};

/** What a handler works with. */
export type Asked = {
  c: RestContext;
  world: GithubWorld;
  viewer: Viewer;
  repository: Repository;
  records: RepositoryRecords;
  /** Who is named as the author of what is created. */
  login: string;
  /** Writes the records soon. */
  save(): void;
};

/** Adds routes of a repository, by name and by number, behind the same doors. */
export type RepositoryRouter = (
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  needs: RouteNeeds,
  handle: (asked: Asked) => Response | Promise<Response>,
) => void;

const BASES = ["/repos/:owner/:repo", "/repositories/:id{[0-9]+}"] as const;

/** Opens the doors of one app's repository routes. */
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
        // Imports go on in the background: whoever looks finds what is done by now.
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

/** Who is named as the author: the user, or the App's robot. */
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

/** Tokens with scopes are judged by them alone; what is public anybody may read. */
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
