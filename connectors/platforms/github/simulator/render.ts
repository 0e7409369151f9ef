import { type Reach, reachOf, type Viewer } from "./access.ts";
import { defaultBranch, fullName, listRepositories, pushedAt, sizeKilobytes } from "./repositories.ts";
import { type Account, findAccount, type GithubWorld, type Installation, type Repository } from "./state.ts";

/** A JSON body. */
export type Body = Record<string, unknown>;

/** Node ids in the new format: a prefix for the kind, then opaque letters. */
export function nodeId(kind: string, id: number | string): string {
  return `${kind}_kgDO${Buffer.from(String(id)).toString("base64url")}`;
}

/** The short form of a user or organisation (`simple-user`). */
export function renderSimpleUser(world: GithubWorld, account: Account): Body {
  const url = `${world.apiUrl}/users/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type === "User" ? "U" : "O", account.id),
    avatar_url: `${world.webUrl}/avatars/${account.login}.svg`,
    gravatar_id: "",
    url,
    html_url: `${world.webUrl}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  };
}

/** A user in the view of others (`public-user`) or in their own (`private-user`). */
export function renderUser(world: GithubWorld, account: Account, view: "public" | "private"): Body {
  const own = listRepositories(world).filter(({ owner }) => owner === account.login);
  const privates = own.filter(({ visibility }) => visibility === "private").length;
  const gists = world.state.gists.filter(({ owner }) => owner === account.login);
  const body = {
    ...renderSimpleUser(world, account),
    user_view_type: view,
    name: account.name,
    company: null,
    blog: "",
    location: account.location,
    email: view === "private" ? account.email : null,
    hireable: null,
    bio: account.description,
    twitter_username: null,
    public_repos: own.length - privates,
    public_gists: gists.filter(({ isPublic }) => isPublic).length,
    followers: 3,
    following: 5,
    created_at: account.createdAt,
    updated_at: account.createdAt,
  };
  if (view === "public") return body;
  return {
    ...body,
    private_gists: gists.filter(({ isPublic }) => !isPublic).length,
    total_private_repos: privates,
    owned_private_repos: privates,
    disk_usage: 0,
    collaborators: 0,
    two_factor_authentication: true,
    plan: { name: "pro", space: 976_562_499, collaborators: 0, private_repos: 9_999 },
  };
}

/** The short form of an organisation. */
export function renderSimpleOrganisation(world: GithubWorld, account: Account): Body {
  const url = `${world.apiUrl}/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId("O", account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.webUrl}/avatars/${account.login}.svg`,
    description: account.description,
  };
}

/** An organisation in the public view. */
export function renderOrganisation(world: GithubWorld, account: Account): Body {
  const own = listRepositories(world).filter(({ owner }) => owner === account.login);
  return {
    ...renderSimpleOrganisation(world, account),
    name: account.name,
    // Fields that an organisation has not filled in are omitted.
    ...(account.location === null ? {} : { location: account.location }),
    ...(account.email === null ? {} : { email: account.email }),
    is_verified: false,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: own.filter(({ visibility }) => visibility === "public").length,
    public_gists: 0,
    followers: 0,
    following: 0,
    html_url: `${world.webUrl}/${account.login}`,
    created_at: account.createdAt,
    updated_at: account.createdAt,
    archived_at: null,
    type: "Organization",
  };
}

const URL_SUFFIXES = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
} as const;

/** A repository in the form of lists. It is valid as `repository`, `minimal-repository` and search result. */
export function renderRepository(world: GithubWorld, viewer: Viewer, repository: Repository): Body {
  const owner = findAccount(world, repository.owner);
  const name = fullName(repository);
  const url = `${world.apiUrl}/repos/${name}`;
  // Pull requests also count as open issues.
  const openIssues = world.records.of(repository).issues.filter(({ state }) => state === "open").length;
  const urls = Object.fromEntries(
    Object.entries(URL_SUFFIXES).map(([key, suffix]) => [key, `${url}${suffix}`]),
  );
  return {
    id: repository.id,
    node_id: nodeId("R", repository.id),
    name: repository.name,
    full_name: name,
    private: repository.visibility === "private",
    owner: owner ? renderSimpleUser(world, owner) : null,
    html_url: `${world.webUrl}/${name}`,
    description: repository.description,
    fork: false,
    url,
    ...urls,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: pushedAt(world, repository),
    git_url: `${world.webUrl.replace(/^http/, "git")}/${name}.git`,
    ssh_url: `ssh://git@${new URL(world.webUrl).host}/${name}.git`,
    clone_url: `${world.webUrl}/${name}.git`,
    svn_url: `${world.webUrl}/${name}`,
    mirror_url: null,
    homepage: repository.homepage,
    size: sizeKilobytes(world, repository),
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    language: repository.language,
    has_issues: repository.hasIssues,
    has_projects: repository.hasProjects,
    has_downloads: true,
    has_wiki: repository.hasWiki,
    has_pages: false,
    has_discussions: repository.hasDiscussions,
    forks_count: 0,
    forks: 0,
    archived: repository.isArchived,
    disabled: false,
    open_issues_count: openIssues,
    open_issues: openIssues,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: repository.topics,
    visibility: repository.visibility,
    default_branch: defaultBranch(world, repository),
    permissions: permissions(reachOf(world, viewer, repository)),
  };
}

/** A single repository (`full-repository`). */
export function renderFullRepository(world: GithubWorld, viewer: Viewer, repository: Repository): Body {
  const owner = findAccount(world, repository.owner);
  const body: Body = {
    ...renderRepository(world, viewer, repository),
    temp_clone_token: null,
    allow_squash_merge: true,
    allow_merge_commit: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    network_count: 0,
    subscribers_count: 0,
    ...world.records.of(repository).settings.merging,
  };
  if (owner?.type === "Organization") body.organization = renderSimpleUser(world, owner);
  return body;
}

/** An installation of the App. */
export function renderInstallation(world: GithubWorld, installation: Installation): Body {
  const account = findAccount(world, installation.account);
  return {
    id: installation.id,
    client_id: world.settings.clientId,
    account: account ? renderSimpleUser(world, account) : null,
    repository_selection: installation.repositoryIds === null ? "all" : "selected",
    access_tokens_url: `${world.apiUrl}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${world.apiUrl}/installation/repositories`,
    html_url: `${world.webUrl}/settings/installations/${installation.id}`,
    app_id: world.settings.appId,
    app_slug: world.settings.appSlug,
    target_id: account?.id ?? 0,
    target_type: account?.type ?? "User",
    permissions: appPermissions(world),
    events: [],
    created_at: installation.createdAt,
    updated_at: installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: installation.suspendedAt,
  };
}

/** The App's permissions where it is installed. */
export function appPermissions(world: GithubWorld): Record<string, string> {
  return {
    ...world.settings.permissions,
    ...(world.settings.canWriteWorkflows ? { workflows: "write" } : {}),
  };
}

function permissions(reach: Reach): Record<string, boolean> {
  const canWrite = reach === "write" || reach === "admin";
  const isAdmin = reach === "admin";
  return { admin: isAdmin, maintain: isAdmin, push: canWrite, triage: canWrite, pull: reach !== "none" };
}
