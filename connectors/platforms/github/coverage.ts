import type { Coverage } from "#connectors/contract/coverage.ts";

const ASSIGNED = "GitHub assigns them to what a restore makes.";
const ADDRESSES = "They are addresses of the API, which follow from the name and the id.";
const COUNTED = "GitHub counts or derives them anew.";
const RENDERED = "GitHub renders them from the text.";
const NOT_READ = "They are not read yet.";
const LISTED = "A restore lists them; it does not change who may do what.";
const PROJECTS = "A restore makes a repository; projects belong to the account.";
const VIEWER = "They describe the account that reads.";
const HISTORY = "GitHub writes the history itself.";

/** What becomes of GitHub's fields. The forms in `record-form.ts` and `read/` decide it; the README says how. */
export const coverage: Coverage = [
  {
    name: "Repository",
    schema: "repository",
    restored:
      "name description homepage topics default_branch has_issues has_projects has_wiki has_discussions",
    kept: [
      { fields: "id node_id full_name html_url owner created_at", because: ASSIGNED },
      { fields: "private visibility", because: "A restored repository is always private." },
      { fields: "archived", because: "A restored repository can be written to; the report says so." },
      {
        fields: "fork is_template license has_pages has_downloads",
        because: "A new repository has GitHub's own values; the licence is a file in git.",
      },
      {
        fields: `allow_merge_commit allow_squash_merge allow_rebase_merge allow_auto_merge delete_branch_on_merge
          allow_forking web_commit_signoff_required`,
        because: "A new repository has GitHub's own values.",
      },
    ],
    left: [
      {
        fields: `url archive_url assignees_url blobs_url branches_url clone_url collaborators_url comments_url
          commits_url compare_url contents_url contributors_url deployments_url downloads_url events_url forks_url
          git_commits_url git_refs_url git_tags_url git_url hooks_url issue_comment_url issue_events_url issues_url
          keys_url labels_url languages_url merges_url milestones_url mirror_url notifications_url pulls_url
          releases_url ssh_url stargazers_url statuses_url subscribers_url subscription_url svn_url tags_url teams_url
          trees_url`,
        because: ADDRESSES,
      },
      {
        fields: `forks forks_count stargazers_count watchers watchers_count subscribers_count network_count
          open_issues open_issues_count size language pushed_at updated_at`,
        because: "They change although nobody changed the repository.",
      },
      { fields: "permissions temp_clone_token", because: VIEWER },
      {
        fields: "parent source template_repository organization master_branch",
        because: "They repeat other fields or describe another repository.",
      },
      { fields: "disabled anonymous_access_enabled", because: "Only GitHub or its administrator sets them." },
      {
        fields: `allow_update_branch use_squash_pr_title_as_default squash_merge_commit_title
          squash_merge_commit_message merge_commit_title merge_commit_message has_pull_requests
          pull_request_creation_policy code_of_conduct security_and_analysis custom_properties`,
        because: NOT_READ,
      },
    ],
  },
  {
    name: "Labels",
    schema: "label",
    restored: "name color description",
    kept: [{ fields: "id node_id default", because: ASSIGNED }],
    left: [{ fields: "url", because: ADDRESSES }],
  },
  {
    name: "Milestones",
    schema: "milestone",
    restored: "title state description due_on",
    kept: [
      {
        fields: "number id node_id html_url creator created_at updated_at closed_at",
        because: "GitHub assigns them; the report maps old numbers to new ones.",
      },
    ],
    left: [
      { fields: "url labels_url", because: ADDRESSES },
      { fields: "open_issues closed_issues", because: COUNTED },
    ],
  },
  {
    name: "Issues",
    schema: "issue",
    restored: `number title body user state state_reason locked active_lock_reason labels milestone assignees
      reactions created_at closed_at html_url parent_issue_url`,
    kept: [
      { fields: "id node_id updated_at", because: ASSIGNED },
      { fields: "assignee", because: "It repeats the first of the assignees." },
      { fields: "comments", because: COUNTED },
      { fields: "performed_via_github_app", because: "The restoring account takes its place." },
      {
        fields: "draft type pinned_comment issue_field_values",
        because: "A restore does not set them yet.",
      },
    ],
    left: [
      {
        fields: "url repository_url labels_url comments_url events_url timeline_url repository",
        because: ADDRESSES,
      },
      { fields: "body_html body_text", because: RENDERED },
      { fields: "author_association sub_issues_summary issue_dependencies_summary", because: COUNTED },
      { fields: "pull_request", because: "Pull requests have records of their own." },
      { fields: "closed_by", because: "GitHub's list does not have it; the event of the closing names who." },
    ],
  },
  {
    name: "Comments",
    schema: "issue-comment",
    restored: "body user created_at html_url reactions minimized",
    kept: [
      { fields: "id node_id updated_at", because: ASSIGNED },
      {
        fields: "performed_via_github_app pin",
        because: "A restore does not set them yet.",
      },
    ],
    left: [
      { fields: "url issue_url", because: ADDRESSES },
      { fields: "body_html body_text", because: RENDERED },
      { fields: "author_association", because: COUNTED },
    ],
  },
  {
    name: "Events",
    schema: "issue-event",
    kept: [
      {
        fields: `id node_id actor event commit_id created_at label assignee assigner review_requester
          requested_reviewer requested_team dismissed_review milestone project_card rename issue_type
          prev_issue_type sub_issue parent_issue blocked_by blocking intent lock_reason performed_via_github_app`,
        because: HISTORY,
      },
    ],
    left: [
      { fields: "url commit_url", because: ADDRESSES },
      { fields: "issue", because: "The event stands in the folder of its issue." },
      { fields: "author_association", because: COUNTED },
    ],
  },
  {
    name: "Pull requests",
    schema: "pull-request",
    restored: `number title body user state locked active_lock_reason labels milestone assignees created_at closed_at
      html_url draft merged_at merged_by head base`,
    kept: [
      { fields: "id node_id updated_at", because: ASSIGNED },
      { fields: "assignee", because: "It repeats the first of the assignees." },
      { fields: "merge_commit_sha", because: "The commit is in git." },
      {
        fields: "requested_reviewers requested_teams auto_merge stack",
        because: "A restore asks nobody for a review and merges nothing.",
      },
    ],
    left: [
      {
        fields: `url diff_url patch_url issue_url commits_url review_comments_url review_comment_url comments_url
          statuses_url _links`,
        because: ADDRESSES,
      },
      {
        fields: `author_association merged mergeable mergeable_state rebaseable comments review_comments commits
          additions deletions changed_files`,
        because: COUNTED,
      },
      { fields: "maintainer_can_modify", because: "GitHub's list does not have it." },
    ],
  },
  {
    name: "Reviews",
    schema: "review",
    restored: "body user state submitted_at html_url",
    kept: [{ fields: "id node_id commit_id", because: "A review becomes a comment, which has no commit." }],
    left: [
      { fields: "pull_request_url _links", because: ADDRESSES },
      { fields: "body_html body_text", because: RENDERED },
      { fields: "author_association", because: COUNTED },
    ],
  },
  {
    name: "Comments on code",
    schema: "review-comment",
    restored: "body user created_at html_url path line original_line diff_hunk in_reply_to_id reactions",
    kept: [
      { fields: "id node_id updated_at", because: ASSIGNED },
      {
        fields: `pull_request_review_id position original_position commit_id
          original_commit_id start_line original_start_line start_side side subject_type`,
        because: "They become comments that name the file and the line.",
      },
    ],
    left: [
      { fields: "url pull_request_url _links", because: ADDRESSES },
      { fields: "body_html body_text", because: RENDERED },
      { fields: "author_association", because: COUNTED },
    ],
  },
  {
    name: "Releases",
    schema: "release",
    restored: "tag_name name body draft prerelease author published_at html_url reactions assets",
    kept: [
      { fields: "id node_id created_at updated_at immutable", because: ASSIGNED },
      { fields: "target_commitish", because: "A restored release names the commit of its tag." },
    ],
    left: [
      { fields: "url assets_url upload_url tarball_url zipball_url discussion_url", because: ADDRESSES },
      { fields: "body_html body_text", because: RENDERED },
      { fields: "mentions_count", because: COUNTED },
    ],
  },
  {
    name: "Files of releases",
    schema: "release-asset",
    restored: "name label content_type",
    kept: [
      {
        fields: "id node_id state size digest created_at updated_at uploader",
        because: "The bytes are restored; GitHub assigns the rest.",
      },
    ],
    left: [
      { fields: "url browser_download_url", because: ADDRESSES },
      { fields: "download_count", because: COUNTED },
    ],
  },
  {
    name: "Discussions",
    schema: "discussion",
    restored: "number title body author createdAt url locked category labels answer reactions comments",
    kept: [
      {
        fields: "id updatedAt closed closedAt stateReason",
        because: "A discussion becomes a closed issue.",
      },
    ],
    left: [
      { fields: "bodyHTML bodyText", because: RENDERED },
      {
        fields: `answerChosenAt answerChosenBy isAnswered authorAssociation createdViaEmail databaseId editor
          includesCreatedEdit lastEditedAt publishedAt resourcePath repository reactionGroups upvoteCount
          userContentEdits activeLockReason poll`,
        because: NOT_READ,
      },
      {
        fields: `viewerCanClose viewerCanDelete viewerCanLabel viewerCanReact viewerCanReopen viewerCanSubscribe
          viewerCanUpdate viewerCanUpvote viewerDidAuthor viewerHasUpvoted viewerSubscription`,
        because: VIEWER,
      },
    ],
  },
  {
    name: "Comments of discussions",
    schema: "discussion-comment",
    restored: "body author createdAt url reactions replies replyTo isAnswer isMinimized minimizedReason",
    kept: [{ fields: "id databaseId updatedAt", because: "They become comments of an issue." }],
    left: [
      { fields: "bodyHTML bodyText", because: RENDERED },
      { fields: "discussion", because: "The comment stands in the folder of its discussion." },
      {
        fields: `authorAssociation createdViaEmail deletedAt editor includesCreatedEdit
          lastEditedAt publishedAt reactionGroups resourcePath upvoteCount userContentEdits`,
        because: NOT_READ,
      },
      {
        fields: `viewerCanDelete viewerCanMarkAsAnswer viewerCanMinimize viewerCanReact viewerCanUnmarkAsAnswer
          viewerCanUpdate viewerCanUpvote viewerCannotUpdateReasons viewerDidAuthor viewerHasUpvoted`,
        because: VIEWER,
      },
    ],
  },
  {
    name: "Projects",
    schema: "project",
    kept: [
      {
        fields: "id number title shortDescription readme public closed url createdAt creator fields items",
        because: PROJECTS,
      },
    ],
    left: [
      {
        fields: "views view workflows workflow",
        because: "GitHub's API gives their names, not what they do.",
      },
      {
        fields: `closedAt databaseId fullDatabaseId field owner repositories resourcePath statusUpdates teams template
          updatedAt`,
        because: NOT_READ,
      },
      { fields: "viewerCanClose viewerCanReopen viewerCanUpdate", because: VIEWER },
    ],
  },
  {
    name: "Items of projects",
    schema: "project-item",
    kept: [
      {
        fields: "id databaseId type isArchived createdAt creator content fieldValues",
        because: PROJECTS,
      },
    ],
    left: [
      {
        fields: "fieldValueByName fullDatabaseId project updatedAt",
        because: "They repeat what the other fields say.",
      },
    ],
  },
  {
    name: "Branch protection",
    schema: "branch-protection",
    kept: [
      {
        fields: `enabled name required_status_checks enforce_admins required_pull_request_reviews restrictions
          required_linear_history allow_force_pushes allow_deletions block_creations
          required_conversation_resolution required_signatures lock_branch allow_fork_syncing`,
        because: LISTED,
      },
    ],
    left: [{ fields: "url protection_url", because: ADDRESSES }],
  },
  {
    name: "Rulesets",
    schema: "ruleset",
    kept: [
      {
        fields: `id node_id name target source_type source enforcement bypass_actors conditions rules created_at
          updated_at`,
        because: LISTED,
      },
    ],
    left: [
      { fields: "_links", because: ADDRESSES },
      { fields: "current_user_can_bypass", because: VIEWER },
    ],
  },
  {
    name: "Webhooks",
    schema: "webhook",
    kept: [
      {
        fields: "id name active events config created_at updated_at",
        because: "A restore must not call other systems; the secrets in the configuration are never stored.",
      },
    ],
    left: [
      { fields: "url test_url ping_url deliveries_url", because: ADDRESSES },
      { fields: "last_response type", because: "They describe the last delivery." },
    ],
  },
  {
    name: "Collaborators",
    schema: "collaborator",
    kept: [{ fields: "login id node_id type role_name permissions", because: "A restore invites nobody." }],
    left: [
      {
        fields: `url html_url avatar_url followers_url following_url gists_url starred_url subscriptions_url
          organizations_url repos_url events_url received_events_url`,
        because: ADDRESSES,
      },
      {
        fields: "email name gravatar_id site_admin user_view_type",
        because: "They belong to the person, not to the repository.",
      },
    ],
  },
  {
    name: "Gists",
    schema: "gist",
    restored: "description files history",
    kept: [
      { fields: "id node_id html_url created_at updated_at owner user", because: ASSIGNED },
      { fields: "public", because: "A restored gist is secret until its owner publishes it." },
      { fields: "comments comments_enabled truncated fork_of", because: COUNTED },
    ],
    left: [
      { fields: "url forks_url commits_url comments_url git_pull_url git_push_url", because: ADDRESSES },
      { fields: "forks", because: "They are gists of other people." },
    ],
  },
  {
    name: "Comments of gists",
    schema: "gist-comment",
    restored: "body user created_at",
    kept: [{ fields: "id node_id updated_at", because: ASSIGNED }],
    left: [
      { fields: "url", because: ADDRESSES },
      { fields: "author_association", because: COUNTED },
    ],
  },
  {
    name: "Reactions",
    schema: "reaction",
    restored: "content user",
    left: [{ fields: "id node_id created_at", because: "A version keeps who reacted and how, not when." }],
  },
  {
    name: "Comments on commits",
    schema: "commit-comment",
    restored: "html_url body path position commit_id user created_at reactions",
    kept: [{ fields: "id node_id line updated_at", because: ASSIGNED }],
    left: [
      { fields: "url", because: ADDRESSES },
      { fields: "author_association", because: COUNTED },
    ],
  },
  {
    name: "Deploy keys",
    schema: "deploy-key",
    kept: [
      {
        fields: "id key title verified created_at read_only added_by",
        because: "An old key would let somebody in.",
      },
    ],
    left: [
      { fields: "url", because: ADDRESSES },
      { fields: "last_used enabled", because: "They change without a change of the key." },
    ],
  },
  {
    name: "Autolinks",
    schema: "autolink",
    restored: "key_prefix url_template is_alphanumeric",
    kept: [{ fields: "id", because: ASSIGNED }],
    left: [{ fields: "updated_at", because: "GitHub sets it." }],
  },
];
