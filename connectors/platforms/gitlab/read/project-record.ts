import { z } from "zod";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { GitlabProject } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";

const level = z.string().nullable();

/** A project's settings as a version stores them. */
export const projectRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  fullName: z.string(),
  webUrl: z.string(),
  namespace: z
    .object({
      id: z.string(),
      kind: z.string().nullable(),
      fullPath: z.string(),
      name: z.string().nullable(),
    })
    .nullable(),
  description: z.string().nullable(),
  visibility: z.enum(["private", "internal", "public"]),
  defaultBranch: z.string().nullable(),
  topics: z.array(z.string()),
  createdAt: z.string().nullable(),
  isArchived: z.boolean().nullable(),
  hasLfs: z.boolean().nullable(),
  /** Who may use a part: disabled, private, enabled, public. */
  access: z.object({
    repository: level.default(null),
    issues: level,
    mergeRequests: level,
    wiki: level,
    snippets: level,
    builds: level,
  }),
  /** Nothing has been pushed yet; GitLab may have no repository for it at all. */
  isEmpty: z.boolean().nullable().default(null),
  merging: z.object({
    method: z.string().nullable(),
    squash: z.string().nullable(),
    needsPipeline: z.boolean().nullable(),
    needsResolvedDiscussions: z.boolean().nullable(),
    removesSourceBranch: z.boolean().nullable(),
  }),
  acceptsAccessRequests: z.boolean().nullable(),
  sendsEmails: z.boolean().nullable(),
  ciConfigPath: z.string().nullable(),
});
export type ProjectRecord = z.output<typeof projectRecordSchema>;

/**
 * The record of a project. Leaves out what changes without an edit of the project: activity times, sizes, counts of
 * stars, forks and issues, our own permissions. Also leaves out the runners token.
 */
export function projectRecord(project: GitlabProject): ProjectRecord & Json {
  const { namespace } = project;
  // Older servers only report whether a part is switched on.
  const access = (told: string | null, isOn: boolean | null) =>
    told ?? (isOn === null ? null : isOn ? "enabled" : "disabled");
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    fullName: project.path_with_namespace,
    webUrl: project.web_url,
    namespace:
      namespace === null
        ? null
        : { id: namespace.id, kind: namespace.kind, fullPath: namespace.full_path, name: namespace.name },
    description: project.description,
    visibility: project.visibility,
    defaultBranch: project.default_branch,
    topics: [...project.topics].sort(),
    createdAt: project.created_at,
    isArchived: project.archived,
    hasLfs: project.lfs_enabled,
    access: {
      repository: project.repository_access_level,
      issues: access(project.issues_access_level, project.issues_enabled),
      mergeRequests: access(project.merge_requests_access_level, project.merge_requests_enabled),
      wiki: access(project.wiki_access_level, project.wiki_enabled),
      snippets: access(project.snippets_access_level, project.snippets_enabled),
      builds: project.builds_access_level,
    },
    isEmpty: project.empty_repo,
    merging: {
      method: project.merge_method,
      squash: project.squash_option,
      needsPipeline: project.only_allow_merge_if_pipeline_succeeds,
      needsResolvedDiscussions: project.only_allow_merge_if_all_discussions_are_resolved,
      removesSourceBranch: project.remove_source_branch_after_merge,
    },
    acceptsAccessRequests: project.request_access_enabled,
    sendsEmails: project.emails_enabled,
    ciConfigPath: project.ci_config_path,
  };
}

/** Whether a version may lack git data, because the repository was empty or disabled when it was taken. */
export async function mayLackGit(snapshot: SnapshotView): Promise<boolean> {
  if ((await snapshot.find(recordPaths.project)) === null) return false;
  const record = projectRecordSchema.safeParse(await snapshot.readRecord(recordPaths.project));
  return record.success && (record.data.access.repository === "disabled" || record.data.isEmpty === true);
}
