import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { LEVEL } from "../access.ts";
import { bytesOf, headBranch, isEmptyBare, listRefs, resolveCommit } from "../bare.ts";
import { lfsBytes } from "../lfs.ts";
import { groupLevel, namespaceById } from "../namespaces.ts";
import { codeDirectory, fullName, fullPath, wikiDirectory } from "../projects.ts";
import type { Access, GitlabWorld, Project } from "../state.ts";
import type { Body, RestContext } from "./answers.ts";
import { renderNamespaceOf, renderUserBrief } from "./render-users.ts";

/** A project as `simple=true` shows it, and as viewers without rights see it. */
export function renderSimpleProject(world: GitlabWorld, project: Project): Body {
  const path = fullPath(world, project);
  const directory = codeDirectory(world, project);
  const branch = headBranch(directory);
  const isEmpty = isEmptyBare(directory);
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: fullName(world, project),
    path: project.path,
    path_with_namespace: path,
    created_at: project.createdAt,
    default_branch: branch,
    tag_list: project.topics,
    topics: project.topics,
    ssh_url_to_repo: `git@${new URL(world.url).host}:${path}.git`,
    http_url_to_repo: `${world.url}/${path}.git`,
    web_url: `${world.url}/${path}`,
    readme_url: isEmpty ? null : `${world.url}/${path}/-/blob/${branch}/README.md`,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    visibility: project.visibility,
    last_activity_at: project.lastActivityAt,
    namespace: renderNamespaceOf(world, project.namespaceId),
  };
}

/** Settings that the simulator never changes. */
const UNCHANGEABLE = {
  packages_enabled: true,
  resolve_outdated_diff_discussions: false,
  jobs_enabled: true,
  container_registry_enabled: true,
  service_desk_enabled: false,
  repository_access_level: "enabled",
  forking_access_level: "enabled",
  builds_access_level: "enabled",
  pages_access_level: "private" satisfies Access,
  analytics_access_level: "enabled",
  container_registry_access_level: "enabled",
  security_and_compliance_access_level: "private",
  releases_access_level: "enabled",
  environments_access_level: "enabled",
  feature_flags_access_level: "enabled",
  infrastructure_access_level: "enabled",
  monitor_access_level: "enabled",
  model_experiments_access_level: "enabled",
  model_registry_access_level: "enabled",
  emails_disabled: false,
  emails_enabled: true,
  shared_runners_enabled: true,
  group_runners_enabled: true,
  import_url: null,
  description_html: "",
  ci_config_path: "",
  public_jobs: true,
  shared_with_groups: [],
  only_allow_merge_if_pipeline_succeeds: false,
  allow_merge_on_skipped_pipeline: false,
  request_access_enabled: true,
  only_allow_merge_if_all_discussions_are_resolved: false,
  remove_source_branch_after_merge: true,
  printing_merge_request_link_enabled: true,
  squash_option: "default_off",
  enforce_auth_checks_on_uploads: true,
  suggestion_commit_message: null,
  merge_commit_template: null,
  squash_commit_template: null,
  autoclose_referenced_issues: true,
  requirements_enabled: false,
};

/** A project for this viewer, in a list or alone. */
export function renderProject(
  c: RestContext,
  world: GitlabWorld,
  project: Project,
  options: { level: number; isSingle?: boolean },
): Body {
  const viewer = c.get("viewer");
  const namespace = namespaceById(world, project.namespaceId);
  const viewerId = viewer.kind === "user" ? viewer.user.id : null;
  const own = project.members.find(({ userId }) => userId === viewerId)?.level ?? 0;
  const inGroup =
    viewerId !== null && namespace?.kind === "group" ? groupLevel(world, viewerId, namespace.group) : 0;
  const isOwn = namespace?.kind === "user" && namespace.user.id === viewerId;
  const access = (level: number) => (level === 0 ? null : { access_level: level, notification_level: 3 });
  return {
    ...renderSimpleProject(world, project),
    container_registry_image_prefix: `registry.${new URL(world.url).hostname}/${fullPath(world, project)}`,
    _links: linksOf(world, project),
    ...UNCHANGEABLE,
    marked_for_deletion_at: project.markedForDeletionOn,
    marked_for_deletion_on: project.markedForDeletionOn,
    empty_repo: isEmptyBare(codeDirectory(world, project)),
    archived: project.isArchived,
    ...(namespace?.kind === "user" ? { owner: renderUserBrief(world, namespace.user.id) } : {}),
    issues_enabled: project.issuesAccess !== "disabled",
    merge_requests_enabled: project.mergeRequestsAccess !== "disabled",
    wiki_enabled: project.wikiAccess !== "disabled",
    snippets_enabled: project.snippetsAccess !== "disabled",
    can_create_merge_request_in: options.level >= LEVEL.developer,
    issues_access_level: project.issuesAccess,
    merge_requests_access_level: project.mergeRequestsAccess,
    wiki_access_level: project.wikiAccess,
    snippets_access_level: project.snippetsAccess,
    lfs_enabled: project.hasLfs,
    creator_id: project.creatorId,
    import_type: project.importStatus === "none" ? null : "gitlab_project",
    import_status: project.importStatus,
    import_error: project.importError,
    open_issues_count: project.issues.filter(({ state }) => state === "opened").length,
    updated_at: project.updatedAt,
    merge_method: project.mergeMethod,
    ...project.settings,
    permissions: {
      project_access: access(isOwn ? 50 : own),
      group_access: namespace?.kind === "group" ? access(inGroup) : null,
    },
    ...(c.req.query("statistics") === "true" && options.level >= LEVEL.reporter
      ? { statistics: statistics(world, project) }
      : {}),
    ...(options.isSingle && c.req.query("license") === "true" ? { license_url: null, license: null } : {}),
  };
}

function linksOf(world: GitlabWorld, project: Project): Body {
  const api = `${world.url}/api/v4/projects/${project.id}`;
  return {
    self: api,
    ...(project.issuesAccess === "disabled" ? {} : { issues: `${api}/issues` }),
    ...(project.mergeRequestsAccess === "disabled" ? {} : { merge_requests: `${api}/merge_requests` }),
    repo_branches: `${api}/repository/branches`,
    labels: `${api}/labels`,
    events: `${api}/events`,
    members: `${api}/members`,
    cluster_agents: `${api}/cluster_agents`,
  };
}

function statistics(world: GitlabWorld, project: Project): Body {
  const directory = codeDirectory(world, project);
  const repository = bytesOf(directory);
  const wiki = bytesOf(wikiDirectory(world, project));
  const tip =
    listRefs(directory, "refs/heads/").length === 0 ? null : resolveCommit(directory, headBranch(directory));
  return {
    commit_count: tip === null ? 0 : Number(runGit(directory, ["rev-list", "--count", tip])),
    storage_size: repository + wiki + lfsBytes(world, project),
    repository_size: repository,
    wiki_size: wiki,
    lfs_objects_size: lfsBytes(world, project),
    job_artifacts_size: 0,
    pipeline_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 0,
    uploads_size: project.uploads.reduce((sum, { size }) => sum + size, 0),
    container_registry_size: 0,
  };
}
