import { z } from "zod";
import { LEVEL, levelIn, type Viewer } from "../access.ts";
import { projectLevel } from "../namespaces.ts";
import { fullPath } from "../projects.ts";
import type { GitlabWorld, Project } from "../state.ts";
import { ordered } from "./pages.ts";
import { bool, csv, int, time } from "./parameters.ts";

/** Parameters of every list of projects. */
export const projectFilters = z.object({
  membership: bool.optional(),
  owned: bool.optional(),
  starred: bool.optional(),
  simple: bool.optional(),
  archived: bool.optional(),
  active: bool.optional(),
  include_pending_delete: bool.optional(),
  visibility: z.enum(["private", "internal", "public"]).optional(),
  min_access_level: int.optional(),
  search: z.string().optional(),
  search_namespaces: bool.optional(),
  topic: csv.optional(),
  id_after: int.optional(),
  id_before: int.optional(),
  last_activity_after: time.optional(),
  last_activity_before: time.optional(),
  updated_after: time.optional(),
  updated_before: time.optional(),
  with_issues_enabled: bool.optional(),
  with_merge_requests_enabled: bool.optional(),
  order_by: z
    .enum(["id", "name", "path", "created_at", "updated_at", "last_activity_at", "similarity", "star_count"])
    .default("created_at"),
  sort: z.enum(["asc", "desc"]).default("desc"),
});

/** The projects that the viewer may see and that pass the filters, in the requested order. */
export function selectProjects(
  world: GitlabWorld,
  viewer: Viewer,
  among: readonly Project[],
  query: z.output<typeof projectFilters>,
): Project[] {
  const memberLevel = (project: Project) =>
    viewer.kind === "user" ? projectLevel(world, viewer.user.id, project) : 0;
  const isWanted = (project: Project): boolean => {
    if (levelIn(world, viewer, project) === 0) return false;
    if (query.membership && memberLevel(project) === 0) return false;
    if (query.owned && memberLevel(project) < LEVEL.owner) return false;
    if (query.starred) return false;
    if (query.min_access_level !== undefined && memberLevel(project) < query.min_access_level) return false;
    if (query.archived !== undefined && project.isArchived !== query.archived) return false;
    if (
      query.active !== undefined &&
      (project.isArchived || project.markedForDeletionOn !== null) === query.active
    )
      return false;
    if (query.visibility !== undefined && project.visibility !== query.visibility) return false;
    if (query.topic && !query.topic.every((topic) => project.topics.includes(topic))) return false;
    if (query.id_after !== undefined && project.id <= query.id_after) return false;
    if (query.id_before !== undefined && project.id >= query.id_before) return false;
    if (
      query.with_issues_enabled !== undefined &&
      (project.issuesAccess !== "disabled") !== query.with_issues_enabled
    )
      return false;
    if (isOutside(project.lastActivityAt, query.last_activity_after, query.last_activity_before))
      return false;
    if (isOutside(project.updatedAt, query.updated_after, query.updated_before)) return false;
    return matches(world, project, query);
  };
  const key = (project: Project): string | number => {
    switch (query.order_by) {
      case "id":
        return project.id;
      case "name":
        return project.name.toLowerCase();
      case "path":
        return project.path.toLowerCase();
      case "updated_at":
        return project.updatedAt;
      case "last_activity_at":
        return project.lastActivityAt;
      case "similarity":
      case "star_count":
      case "created_at":
        return project.createdAt;
    }
  };
  return ordered(among.filter(isWanted), key, query.sort);
}

/** Whether a project matches the search. Words of fewer than three letters match whole fields only. */
function matches(world: GitlabWorld, project: Project, query: z.output<typeof projectFilters>): boolean {
  const search = query.search?.toLowerCase().trim();
  if (!search) return true;
  const fields = [project.path, project.name, project.description ?? ""].map((field) => field.toLowerCase());
  if (query.search_namespaces) fields.push(fullPath(world, project).toLowerCase());
  return search
    .split(/\s+/)
    .every((word) => fields.some((field) => (word.length < 3 ? field === word : field.includes(word))));
}

/** Whether a time is outside the bounds. */
export function isOutside(at: string, after: string | undefined, before: string | undefined): boolean {
  const moment = Date.parse(at);
  if (after !== undefined && moment < Date.parse(after)) return true;
  return before !== undefined && moment > Date.parse(before);
}
