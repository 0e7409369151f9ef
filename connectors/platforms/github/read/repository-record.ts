import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type GithubRepository, visibilityOf } from "../payloads.ts";

/** A repository's settings, as a snapshot stores them. */
export const repositoryRecordSchema = z.object({
  id: z.string(),
  nodeId: z.string().nullable(),
  name: z.string(),
  fullName: z.string(),
  webUrl: z.string(),
  owner: z.object({ id: z.string(), login: z.string(), type: z.enum(["User", "Organization"]) }).nullable(),
  description: z.string().nullable(),
  homepage: z.string().nullable(),
  visibility: z.enum(["private", "public", "internal"]),
  defaultBranch: z.string().nullable(),
  topics: z.array(z.string()),
  createdAt: z.string().nullable(),
  isFork: z.boolean().nullable(),
  isArchived: z.boolean().nullable(),
  isTemplate: z.boolean().nullable(),
  license: z
    .object({ key: z.string().nullable(), name: z.string().nullable(), spdx: z.string().nullable() })
    .nullable(),
  features: z.record(z.string(), z.boolean().nullable()),
  merging: z.record(z.string(), z.boolean().nullable()),
});
export type RepositoryRecord = z.output<typeof repositoryRecordSchema>;

/**
 * Builds the record of a repository. It leaves out what changes without a change to the repository: times of the last
 * push and update, size, counts of stars, watchers, forks and issues, and our own permissions.
 */
export function repositoryRecord(repository: GithubRepository): Json {
  const { owner, license } = repository;
  return {
    id: repository.id,
    nodeId: repository.node_id,
    name: repository.name,
    fullName: repository.full_name,
    webUrl: repository.html_url,
    owner: owner === null ? null : { id: owner.id, login: owner.login, type: owner.type },
    description: repository.description,
    homepage: repository.homepage,
    visibility: visibilityOf(repository),
    defaultBranch: repository.default_branch,
    topics: [...repository.topics].sort(),
    createdAt: repository.created_at,
    isFork: repository.fork,
    isArchived: repository.archived,
    isTemplate: repository.is_template,
    license: license === null ? null : { key: license.key, name: license.name, spdx: license.spdx_id },
    features: {
      issues: repository.has_issues,
      projects: repository.has_projects,
      wiki: repository.has_wiki,
      pages: repository.has_pages,
      downloads: repository.has_downloads,
      discussions: repository.has_discussions,
    },
    merging: {
      mergeCommit: repository.allow_merge_commit,
      squash: repository.allow_squash_merge,
      rebase: repository.allow_rebase_merge,
      auto: repository.allow_auto_merge,
      deletesBranch: repository.delete_branch_on_merge,
      forking: repository.allow_forking,
      requiresSignoff: repository.web_commit_signoff_required,
    },
  };
}
