import { z } from "zod";
import { optionalFlag as flag, idText, optionalText as text } from "#connectors/toolkit/payload-parts.ts";

/**
 * Schemas of GitLab's responses: strict for fields we use, loose for what a version stores unchanged. Ids of items
 * become strings; ids inside records stay the numbers that GitLab sent.
 */
const visibility = z
  .enum(["private", "internal", "public"])
  .nullish()
  // A missing visibility counts as private, to be safe.
  .transform((value) => value ?? "private");
const time = z.string().refine((value) => !Number.isNaN(Date.parse(value)), "is no time");

/** The connected user. */
export const accountSchema = z.object({ id: idText, username: z.string().min(1), name: text });

/** A group or subgroup of the connected user. */
export const groupSchema = z.object({
  id: idText,
  full_path: z.string().min(1),
  /** Who may create projects there; missing in old versions of GitLab. */
  project_creation_level: text,
  archived: flag,
  marked_for_deletion_on: text,
});
export type GitlabGroup = z.output<typeof groupSchema>;
export const groupsSchema = z.array(groupSchema);

/** A project: the form of lists and the full one. */
export const projectSchema = z.object({
  id: idText,
  name: z.string().min(1),
  path: z.string().min(1),
  path_with_namespace: z.string().regex(/^[^/\s]+(\/[^/\s]+)+$/),
  web_url: z.string(),
  description: text,
  visibility,
  default_branch: text,
  created_at: text,
  archived: flag,
  /** Set once its owner has deleted it; GitLab keeps it for some days. */
  marked_for_deletion_on: text,
  empty_repo: flag,
  topics: z
    .array(z.string())
    .nullish()
    .transform((topics) => topics ?? []),
  namespace: z
    .object({ id: idText, kind: text, full_path: z.string(), name: text })
    .nullish()
    .transform((namespace) => namespace ?? null),
  lfs_enabled: flag,
  repository_access_level: text,
  issues_access_level: text,
  merge_requests_access_level: text,
  wiki_access_level: text,
  snippets_access_level: text,
  builds_access_level: text,
  issues_enabled: flag,
  merge_requests_enabled: flag,
  wiki_enabled: flag,
  snippets_enabled: flag,
  merge_method: text,
  squash_option: text,
  only_allow_merge_if_pipeline_succeeds: flag,
  only_allow_merge_if_all_discussions_are_resolved: flag,
  remove_source_branch_after_merge: flag,
  request_access_enabled: flag,
  emails_enabled: flag,
  ci_config_path: text,
  statistics: z
    .object({
      repository_size: z.number().nonnegative(),
      wiki_size: z.number().nonnegative().nullish(),
      lfs_objects_size: z.number().nonnegative().nullish(),
    })
    .nullish()
    .transform((statistics) => statistics ?? null),
});
export type GitlabProject = z.output<typeof projectSchema>;
export const projectsSchema = z.array(projectSchema);

/** A snippet, personal or of a project. */
export const snippetSchema = z.object({
  id: idText,
  title: z.string(),
  description: text,
  visibility,
  project_id: idText.nullish().transform((id) => id ?? null),
  web_url: z.string(),
  created_at: text,
  author: z
    .looseObject({ id: z.int(), username: z.string(), name: z.string() })
    .nullish()
    .transform((author) => author ?? null),
  files: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .transform((files) => files ?? []),
  file_name: text,
});
export type GitlabSnippet = z.output<typeof snippetSchema>;
export const snippetsSchema = z.array(snippetSchema);

const userSchema = z.looseObject({ id: z.int(), username: z.string(), name: z.string() }).nullish();
export type GitlabUser = z.output<typeof userSchema>;
const milestoneReference = z.looseObject({ id: z.int(), title: z.string() }).nullish();

/** Fields that issues and merge requests share. */
const issuable = {
  id: z.int(),
  iid: z.int().positive(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  created_at: time,
  updated_at: time,
  author: userSchema,
  labels: z.array(z.string()).default([]),
  milestone: milestoneReference,
  web_url: z.string().nullish(),
  upvotes: z.int().nullish(),
  downvotes: z.int().nullish(),
};
export const issueSchema = z.looseObject({
  ...issuable,
  confidential: z.boolean().nullish(),
  due_date: z.string().nullish(),
  weight: z.int().nullish(),
  issue_type: z.string().nullish(),
  closed_at: z.string().nullish(),
  user_notes_count: z.int().nullish(),
  discussion_locked: z.boolean().nullish(),
});
export type GitlabIssue = z.output<typeof issueSchema>;
export const issuesSchema = z.array(issueSchema);
export const mergeRequestSchema = z.looseObject({
  ...issuable,
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int().nullish(),
  merge_commit_sha: z.string().nullish(),
  merged_at: z.string().nullish(),
  squash: z.boolean().nullish(),
  user_notes_count: z.int().nullish(),
  discussion_locked: z.boolean().nullish(),
});
export type GitlabMergeRequest = z.output<typeof mergeRequestSchema>;
export const mergeRequestsSchema = z.array(mergeRequestSchema);

/** Emoji reactions. */
export const awardsSchema = z.array(
  z.looseObject({ id: z.int(), name: z.string(), user: userSchema, created_at: z.string().nullish() }),
);
export const approvalsSchema = z.looseObject({
  approved_by: z
    .array(z.looseObject({ user: userSchema, approved_at: z.string().nullish() }))
    .nullish()
    .transform((people) => people ?? []),
});

/** Whether only members may read a note. GitLab before 15.5 calls the flag `confidential`. */
export const internalFlags = { internal: z.boolean().nullish(), confidential: z.boolean().nullish() };

/** A note; on a line of a change, `position` holds the line. */
export const noteSchema = z.looseObject({
  id: z.int(),
  // A recorded note has none.
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? ""),
  author: userSchema,
  created_at: time,
  system: z.boolean().default(false),
  ...internalFlags,
  position: z.looseObject({ new_path: z.string().nullish(), old_path: z.string().nullish() }).nullish(),
  discussion_id: z.string().nullish(),
});
export type GitlabNote = z.output<typeof noteSchema>;
export const discussionsSchema = z.array(
  z.looseObject({
    id: z.string(),
    individual_note: z.boolean().nullish(),
    notes: z
      .array(noteSchema)
      .nullish()
      .transform((notes) => notes ?? []),
  }),
);

/** What every change of a label, milestone or state has (docs.gitlab.com: resource events). */
const resourceEvent = { id: z.int(), user: userSchema, created_at: time };
const addedOrRemoved = { ...resourceEvent, action: z.string() };
/** A change of a label. GitLab shows null for a label that was deleted since. */
const labelEventSchema = z.object({
  ...addedOrRemoved,
  label: z.object({ id: z.int(), name: z.string() }).nullish(),
});
const milestoneEventSchema = z.object({
  ...addedOrRemoved,
  milestone: z.object({ id: z.int(), title: z.string() }).nullish(),
});
const stateEventSchema = z.object({ ...resourceEvent, state: z.string() });
type ResourceEvent = { id: number; user?: GitlabUser; created_at: string };
/** Lists of changes by what changed. The schemas drop what an event repeats of its label or milestone. */
export const resourceEventLists: Readonly<
  Record<"label" | "milestone" | "state", z.ZodType<ResourceEvent[]>>
> = {
  label: z.array(labelEventSchema),
  milestone: z.array(milestoneEventSchema),
  state: z.array(stateEventSchema),
};
/** A change as a record stores it. */
export const storedEventSchema = z.object({
  author: userSchema,
  created_at: time,
  action: z.string().nullish(),
  label: labelEventSchema.shape.label,
  milestone: milestoneEventSchema.shape.milestone,
  state: z.string().nullish(),
});

export const labelSchema = z.looseObject({
  id: z.int(),
  name: z.string(),
  color: z.string(),
  description: z.string().nullish(),
  priority: z.int().nullish(),
});
export type GitlabLabel = z.output<typeof labelSchema>;
export const labelsSchema = z.array(labelSchema);
export const milestoneSchema = z.looseObject({
  id: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  due_date: z.string().nullish(),
  start_date: z.string().nullish(),
});
export const milestonesSchema = z.array(milestoneSchema);
export const releaseSchema = z.looseObject({
  tag_name: z.string().min(1),
  name: z.string().nullish(),
  description: z.string().nullish(),
  released_at: z.string().nullish(),
  milestones: z.array(z.looseObject({ title: z.string() })).nullish(),
  assets: z
    .looseObject({
      links: z
        .array(
          z.looseObject({
            name: z.string(),
            url: z.string(),
            link_type: z.string().nullish(),
            direct_asset_url: z.string().nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});
export const releasesSchema = z.array(releaseSchema);
export const boardSchema = z.looseObject({
  id: z.int(),
  name: z.string().nullish(),
  lists: z
    .array(
      z.looseObject({
        id: z.int(),
        position: z.int().nullish(),
        label: z.looseObject({ name: z.string() }).nullish(),
      }),
    )
    .nullish(),
});
export const boardsSchema = z.array(boardSchema);
const accessLevels = z
  .array(z.looseObject({ access_level: z.int().nullish(), access_level_description: z.string().nullish() }))
  .nullish();
export const protectedBranchSchema = z.looseObject({
  name: z.string(),
  push_access_levels: accessLevels,
  merge_access_levels: accessLevels,
  allow_force_push: z.boolean().nullish(),
});
export const protectedBranchesSchema = z.array(protectedBranchSchema);
/** Protected tags (gitlab4j's `protected-tags.json`). */
export const protectedTagsSchema = z.array(
  z.looseObject({ name: z.string(), create_access_levels: accessLevels }),
);
/** Pipeline schedules, without when they run next (docs.gitlab.com: pipeline schedules API). */
export const schedulesSchema = z.array(
  z.looseObject({ id: z.int(), description: z.string(), ref: z.string(), cron: z.string() }),
);
export const deployKeysSchema = z.array(z.looseObject({ id: z.int(), title: z.string(), key: z.string() }));
/** Badges of the project, and those of its groups (gitlab4j's `badges.json`). */
export const badgesSchema = z.array(
  z.looseObject({
    id: z.int(),
    name: z.string().nullish(),
    link_url: z.string(),
    image_url: z.string(),
    kind: z.string().nullish(),
  }),
);
/** Issues that an issue is linked to (gitlab4j's `linked-issues.json`). The schema drops what those issues are. */
export const linkedIssuesSchema = z.array(
  z.object({
    iid: z.int(),
    project_id: z.int(),
    issue_link_id: z.int(),
    link_type: z.string().nullish(),
    web_url: z.string().nullish(),
  }),
);
export const membersSchema = z.array(
  z.looseObject({ id: z.int(), username: z.string(), name: z.string(), access_level: z.int() }),
);
/** CI/CD variables: names and switches. The schema drops their values. */
export const variablesSchema = z.array(
  z.object({
    key: z.string(),
    variable_type: z.string().nullish(),
    protected: z.boolean().nullish(),
    masked: z.boolean().nullish(),
    hidden: z.boolean().nullish(),
    raw: z.boolean().nullish(),
    environment_scope: z.string().nullish(),
    description: z.string().nullish(),
  }),
);
export const hooksSchema = z.array(z.looseObject({ id: z.int(), url: z.string() }));
