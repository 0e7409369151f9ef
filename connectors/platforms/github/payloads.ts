import { z } from "zod";
import {
  optionalFlag as flag,
  idText as id,
  optionalText as text,
} from "#connectors/toolkit/payload-parts.ts";

/**
 * Schemas of GitHub's responses. Parsing drops fields that a schema does not list, so fields that GitHub adds change
 * nothing. Fields that some responses omit become null. Ids become strings.
 */
const accountType = z
  .string()
  .nullish()
  .transform((type) => (type === "Organization" ? type : "User"));

/** A user or organisation, in the short or the full form. */
export const accountSchema = z.object({ id, node_id: text, login: z.string().min(1), type: accountType });
export type GithubAccount = z.output<typeof accountSchema>;

/** The user's organisations. */
export const organisationsSchema = z.array(accountSchema);

/** A repository, in the short form of lists or in full. */
export const repositorySchema = z.object({
  id,
  node_id: text,
  name: z.string().min(1),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  private: z.boolean(),
  owner: accountSchema.nullish().transform((owner) => owner ?? null),
  html_url: z.string(),
  description: text,
  homepage: text,
  visibility: z.string().nullish(),
  default_branch: text,
  created_at: text,
  fork: flag,
  archived: flag,
  disabled: flag,
  is_template: flag,
  size: z
    .number()
    .nonnegative()
    .nullish()
    .transform((size) => size ?? null),
  topics: z
    .array(z.string())
    .nullish()
    .transform((topics) => topics ?? []),
  license: z
    .object({ key: text, name: text, spdx_id: text })
    .nullish()
    .transform((license) => license ?? null),
  has_issues: flag,
  has_projects: flag,
  has_wiki: flag,
  has_pages: flag,
  has_downloads: flag,
  has_discussions: flag,
  allow_forking: flag,
  allow_merge_commit: flag,
  allow_squash_merge: flag,
  allow_rebase_merge: flag,
  allow_auto_merge: flag,
  delete_branch_on_merge: flag,
  web_commit_signoff_required: flag,
});
export type GithubRepository = z.output<typeof repositorySchema>;

/** A list of repositories. One malformed member fails the page, so that no repository goes missing unnoticed. */
export const repositoriesSchema = z.array(repositorySchema);

/** Installations of the App that the user can see. */
export const installationsSchema = z.object({
  installations: z.array(
    z.object({
      id,
      account: accountSchema.nullish().transform((account) => account ?? null),
      repository_selection: text,
      suspended_at: text,
    }),
  ),
});

/**
 * GitHub's three visibilities. A payload without one says by `private` whether everyone may read. A value that GitHub
 * adds later counts as private, which is the safe side.
 */
export function visibilityOf(repository: GithubRepository): "private" | "public" | "internal" {
  const { visibility } = repository;
  if (visibility === "public" || visibility === "internal" || visibility === "private") return visibility;
  return visibility == null && !repository.private ? "public" : "private";
}
