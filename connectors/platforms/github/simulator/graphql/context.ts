import { reachOf, type Viewer } from "../access.ts";
import { isGranted } from "../rest/repository-route.ts";
import type { GithubWorld, Permission, Repository } from "../state.ts";
import { FieldError, type GraphqlObject } from "./execute.ts";

/** The viewer and the world of a query. */
export type GraphqlContext = {
  world: GithubWorld;
  viewer: Viewer;
  login: string;
  /** Renders the repository that an object below it belongs to. */
  showRepository(repository: Repository): GraphqlObject;
};

/** @throws FieldError when the App was not granted the permission */
export function requirePermission(
  { world, viewer }: GraphqlContext,
  repository: Repository,
  permission: Permission,
  level: "read" | "write" = "read",
): void {
  if (isGranted(world, viewer, repository, permission, level)) return;
  throw new FieldError("FORBIDDEN", "Resource not accessible by integration");
}

/** Whether the viewer can see a repository. */
export function isVisible({ world, viewer }: GraphqlContext, repository: Repository): boolean {
  return !repository.isDeleted && reachOf(world, viewer, repository) !== "none";
}

/** @throws FieldError when the viewer may not push */
export function requirePush({ world, viewer, login }: GraphqlContext, repository: Repository): void {
  if (["write", "admin"].includes(reachOf(world, viewer, repository))) return;
  throw new FieldError("FORBIDDEN", `${login} does not have the correct permissions to execute this.`);
}
