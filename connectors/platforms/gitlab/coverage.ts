import type { Coverage } from "#connectors/contract/coverage.ts";

const ASSIGNED = "GitLab assigns them to what a restore makes.";
const ADDRESSES = "They are addresses of the API, which follow from the name and the id.";
const COUNTED = "GitLab counts or derives them anew.";
const NOT_READ = "They are not read yet.";
const VIEWER = "They describe the account that reads.";

const UPDATED = "They change although nobody changed the project.";

/** What becomes of GitLab's fields. The forms in `record-form.ts` and `read/` decide it; the README says how. */
export const coverage: Coverage = [
  {
    name: "Project",
    schema: "project",
    restored: `name description topics default_branch merge_method squash_option
      only_allow_merge_if_pipeline_succeeds only_allow_merge_if_all_discussions_are_resolved
      remove_source_branch_after_merge request_access_enabled issues_enabled merge_requests_enabled wiki_enabled
      snippets_enabled`,
    kept: [
      { fields: "id path path_with_namespace web_url namespace created_at", because: ASSIGNED },
      { fields: "visibility", because: "A restored project is always private." },
      { fields: "archived", because: "A restored project can be written to; the report says so." },
      { fields: "empty_repo", because: COUNTED },
    ],
    left: [
      {
        fields:
          "http_url_to_repo ssh_url_to_repo readme_url avatar_url license_url name_with_namespace _links",
        because: ADDRESSES,
      },
      { fields: "description_html", because: "GitLab renders it from the text." },
      { fields: "forks_count star_count open_issues_count last_activity_at updated_at", because: UPDATED },
      { fields: "permissions can_create_merge_request_in", because: VIEWER },
      { fields: "runners_token import_url", because: "They hold secrets." },
      {
        fields:
          "import_type import_status import_error marked_for_deletion_on repository_storage owner creator_id",
        because: "GitLab sets them by itself.",
      },
      { fields: "license", because: "It is a file in git." },
      { fields: "service_desk_address container_registry_image_prefix", because: ADDRESSES },
      {
        fields: `jobs_enabled shared_runners_enabled group_runners_enabled ci_default_git_depth
          ci_forward_deployment_enabled ci_forward_deployment_rollback_allowed
          ci_allow_fork_pipelines_to_run_in_parent_project ci_separated_caches ci_restrict_pipeline_cancellation_role
          ci_pipeline_variables_minimum_override_role public_jobs auto_devops_enabled auto_devops_deploy_strategy`,
        because: "A restore switches CI/CD off, because an old deployment must not start.",
      },
      {
        fields: `mirror mirror_user_id mirror_trigger_builds only_mirror_protected_branches
          mirror_overwrites_diverged_branches`,
        because: "A restore must not write to other systems.",
      },
      {
        fields: `merge_requests_template issues_template merge_commit_template squash_commit_template
          issue_branch_template suggestion_commit_message autoclose_referenced_issues
          resolve_outdated_diff_discussions allow_merge_on_skipped_pipeline
          printing_merge_requests_link_enabled shared_with_groups container_registry_access_level
          security_and_compliance_access_level container_expiration_policy packages_enabled service_desk_enabled
          enforce_auth_checks_on_uploads external_authorization_classification_label compliance_frameworks
          warn_about_potentially_unwanted_characters`,
        because: NOT_READ,
      },
    ],
  },
  {
    name: "Issues",
    schema: "issue",
    restored: `title description state author labels milestone assignees created_at closed_at due_date weight
      confidential discussion_locked web_url type`,
    kept: [
      {
        fields: "iid",
        because: "The number comes back if you own the new project; else the report maps it.",
      },
      { fields: "id project_id updated_at references", because: ASSIGNED },
      {
        fields: "closed_by moved_to_id",
        because: "They name people and places that a restore does not use.",
      },
      {
        fields: "time_stats health_status epic service_desk_reply_to",
        because: "A restore does not set them.",
      },
    ],
    left: [
      { fields: "_links", because: ADDRESSES },
      { fields: "subscribed", because: VIEWER },
      {
        fields: `upvotes downvotes user_notes_count merge_requests_count has_tasks task_status
          task_completion_status`,
        because: COUNTED,
      },
    ],
  },
  {
    name: "Merge requests",
    schema: "merge-request",
    restored: `title description state author labels milestone assignees created_at source_branch target_branch
      merged_at merge_commit_sha squash discussion_locked web_url`,
    kept: [
      { fields: "iid", because: "GitLab gives new numbers; the report and the text name the old one." },
      { fields: "id project_id updated_at reference references", because: ASSIGNED },
      { fields: "assignee", because: "It repeats the first of the assignees." },
      { fields: "draft work_in_progress", because: "The title says it." },
      {
        fields: "reviewers merged_by closed_by closed_at approvals_before_merge",
        because: "A restore asks nobody, and cannot act in their names.",
      },
      {
        fields: `source_project_id target_project_id sha squash_commit_sha merge_when_pipeline_succeeds
          should_remove_source_branch force_remove_source_branch`,
        because: "The commits are in git; a restore merges nothing.",
      },
      { fields: "time_stats", because: "A restore does not set it." },
    ],
    left: [
      {
        fields: `upvotes downvotes user_notes_count merge_status detailed_merge_status has_conflicts
          blocking_discussions_resolved prepared_at task_completion_status`,
        because: COUNTED,
      },
    ],
  },
  {
    name: "Comments",
    schema: "note",
    restored: "body author created_at id",
    kept: [
      { fields: "system", because: "GitLab writes such notes itself; a restore only counts them." },
      {
        fields: "updated_at noteable_id noteable_type noteable_iid project_id attachment resolvable",
        because: ASSIGNED,
      },
    ],
  },
  {
    name: "Reactions",
    schema: "reaction",
    restored: "name user",
    kept: [{ fields: "created_at", because: "A line of the text names who reacted, not when." }],
    left: [
      {
        fields: "id awardable_id awardable_type updated_at",
        because:
          "It stands with its thing. Reactions are read only where GitLab's list counts a thumb up or down.",
      },
    ],
  },
  {
    name: "Labels",
    schema: "label",
    restored: "name color description priority",
    kept: [{ fields: "id text_color description_html is_project_label", because: ASSIGNED }],
    left: [
      { fields: "open_issues_count closed_issues_count open_merge_requests_count", because: COUNTED },
      { fields: "subscribed", because: VIEWER },
    ],
  },
  {
    name: "Milestones",
    schema: "milestone",
    restored: "title description due_date start_date state",
    kept: [{ fields: "id iid project_id created_at updated_at web_url", because: ASSIGNED }],
    left: [{ fields: "expired", because: COUNTED }],
  },
  {
    name: "Releases",
    schema: "release",
    restored: "tag_name name description released_at milestones assets",
    kept: [{ fields: "created_at author commit", because: ASSIGNED }],
    left: [
      { fields: "_links commit_path tag_path", because: ADDRESSES },
      { fields: "upcoming_release evidences", because: COUNTED },
    ],
  },
  {
    name: "Links of releases",
    schema: "release-link",
    restored: "name url link_type",
    kept: [{ fields: "id external", because: ASSIGNED }],
  },
  {
    name: "Boards",
    schema: "board",
    restored: "name lists",
    kept: [{ fields: "id milestone", because: "A restored board is not limited to a milestone." }],
  },
  {
    name: "Lists of boards",
    schema: "board-list",
    restored: "label position",
    kept: [
      { fields: "id limit_metric max_issue_count max_issue_weight", because: "A restore does not set them." },
    ],
  },
  {
    name: "Protected branches",
    schema: "protected-branch",
    restored: "name push_access_levels merge_access_levels allow_force_push",
    kept: [
      {
        fields: "id unprotect_access_levels code_owner_approval_required",
        because: "They need a paid plan; a restore does not set them.",
      },
    ],
  },
  {
    name: "Members",
    schema: "member",
    kept: [
      {
        fields: "id username name state access_level expires_at web_url group_saml_identity",
        because: "A restore invites nobody.",
      },
    ],
    left: [{ fields: "email avatar_url", because: "They belong to the person, not to the project." }],
  },
  {
    name: "CI/CD variables",
    schema: "variable",
    kept: [{ fields: "key variable_type protected masked", because: "Without values they are only listed." }],
    left: [{ fields: "value", because: "Values never leave GitLab." }],
  },
  {
    name: "Webhooks",
    schema: "webhook",
    kept: [
      {
        fields: `id url projectId created_at push_events push_events_branch_filter issues_events
          confidential_issues_events note_events confidential_note_events job_events pipeline_events
          wiki_page_events deployment_events releases_events tag_push_events merge_requests_events
          repository_update_events enable_ssl_verification url_variables`,
        because: "A restore must not call other systems.",
      },
    ],
    left: [{ fields: "alert_status disabled_until", because: "They describe the last deliveries." }],
  },
  {
    name: "Snippets",
    schema: "snippet",
    restored: "title description files",
    kept: [
      { fields: "id project_id web_url created_at author", because: ASSIGNED },
      { fields: "visibility", because: "A restored snippet is always private." },
      { fields: "file_name", because: "It repeats the first of the files." },
    ],
    left: [
      { fields: "raw_url ssh_url_to_repo http_url_to_repo", because: ADDRESSES },
      { fields: "updated_at expires_at", because: NOT_READ },
    ],
  },
  {
    name: "Links between issues",
    schema: "issue-link",
    restored: "iid link_type project_id",
    kept: [{ fields: "issue_link_id web_url", because: ASSIGNED }],
    left: [
      {
        fields: `id link_created_at link_updated_at title description state labels milestone author assignees
          confidential due_date user_notes_count weight updated_at`,
        because: "The linked issue has a record of its own; GitLab dates a link itself.",
      },
    ],
  },
  {
    name: "Protected tags",
    schema: "protected-tag",
    restored: "name create_access_levels",
  },
  {
    name: "Pipeline schedules",
    schema: "pipeline-schedule",
    kept: [
      {
        fields: "id description ref cron cron_timezone active created_at updated_at owner",
        because: "A restore starts nothing by itself.",
      },
    ],
    left: [{ fields: "next_run_at last_pipeline", because: "They change with every run." }],
  },
  {
    name: "Deploy keys",
    schema: "deploy-key",
    kept: [
      {
        fields: "id title key fingerprint fingerprint_sha256 can_push created_at expires_at",
        because: "A restore gives nobody access.",
      },
    ],
  },
  {
    name: "Badges",
    schema: "badge",
    restored: "name link_url image_url",
    kept: [{ fields: "id kind", because: ASSIGNED }],
    left: [
      {
        fields: "rendered_link_url rendered_image_url",
        because: "They repeat the other URLs with the names put in.",
      },
    ],
  },
  {
    name: "Pipelines",
    schema: "pipeline",
    left: [
      {
        fields: "id iid project_id sha ref status source created_at updated_at web_url",
        because: "Runs of CI/CD are results, and GitLab removes them by itself.",
      },
    ],
  },
];
