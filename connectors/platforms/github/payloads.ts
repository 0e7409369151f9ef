import { z } from "zod";

/**
 * What GitHub sends, parsed at the border. Fields that are not named are dropped, so what GitHub adds tomorrow
 * changes nothing; fields that some answers leave out are null here. Ids are texts from here on.
 */
const id = z.union([z.int().transform(String), z.string().min(1)]);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null);
const accountType = z
  .string()
  .nullish()
  .transform((type) => (type === "Organization" ? type : "User"));

/** A user or organisation, in the short form or the long. */
export const accountSchema = z.object({ id, node_id: text, login: z.string().min(1), type: accountType });
export type GithubAccount = z.output<typeof accountSchema>;

/** Organisations of the user. */
export const organisationsSchema = z.array(accountSchema);

/** A repository: the short form of lists and the full one. */
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

/** Repositories of a list; one member that is broken does not hide the others' existence, it fails the page. */
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

/** Tokens, or an error under HTTP 200. */
export const tokenAnswerSchema = z.union([
  z.object({ error: z.string(), error_description: text }),
  z.object({
    access_token: z.string().min(1),
    expires_in: z.coerce
      .number()
      .positive()
      .nullish()
      .transform((seconds) => seconds ?? null),
    refresh_token: text.transform((token) => token || null),
  }),
]);

/** GitHub's three visibilities; what is unknown counts as private, which is the safe side. */
export function visibilityOf(repository: GithubRepository): "private" | "public" | "internal" {
  const { visibility } = repository;
  if (visibility === "public" || visibility === "internal" || visibility === "private") return visibility;
  return repository.private ? "private" : "public";
}
