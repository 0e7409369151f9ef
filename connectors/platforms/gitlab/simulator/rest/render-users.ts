import {
  groupName,
  groupPath,
  type Namespace,
  namespaceById,
  namespaceId,
  namespacePath,
} from "../namespaces.ts";
import type { GitlabWorld, Group, Membership, User } from "../state.ts";
import type { Body } from "./answers.ts";

/** The short form of a user, as in `author`. A deleted user appears as `ghost`. */
export function renderUserBrief(world: GitlabWorld, userId: number): Body {
  const user = world.state.users.find(({ id }) => id === userId);
  const username = user?.username ?? "ghost";
  return {
    id: userId,
    username,
    public_email: "",
    name: user?.name ?? "Ghost User",
    state: "active",
    locked: false,
    avatar_url: `${world.url}/uploads/-/avatars/${username}.svg`,
    web_url: `${world.url}/${username}`,
  };
}

/** The short form of a user; null without one. */
export function renderUserOrNull(world: GitlabWorld, userId: number | null | undefined): Body | null {
  return userId === null || userId === undefined ? null : renderUserBrief(world, userId);
}

/** A user as others see them (`public`), or as they see themselves (`own`). */
export function renderUser(world: GitlabWorld, user: User, view: "public" | "own"): Body {
  const body = {
    ...renderUserBrief(world, user.id),
    created_at: user.createdAt,
    bio: user.bio,
    location: user.location,
    skype: "",
    linkedin: "",
    twitter: "",
    discord: "",
    website_url: "",
    organization: "",
    job_title: "",
    pronouns: null,
    bot: false,
    work_information: null,
    followers: 2,
    following: 3,
    is_followed: false,
    local_time: null,
  };
  if (view === "public") return body;
  return {
    ...body,
    last_sign_in_at: user.createdAt,
    confirmed_at: user.createdAt,
    last_activity_on: user.createdAt.slice(0, 10),
    email: user.email,
    theme_id: 3,
    color_scheme_id: 1,
    projects_limit: 100_000,
    current_sign_in_at: user.createdAt,
    identities: [],
    can_create_group: true,
    can_create_project: true,
    two_factor_enabled: true,
    external: false,
    private_profile: false,
    commit_email: user.email,
    namespace_id: user.namespaceId,
  };
}

/** A namespace as projects show it. */
export function renderNamespaceBrief(world: GitlabWorld, namespace: Namespace): Body {
  const path = namespacePath(world, namespace);
  const isUser = namespace.kind === "user";
  return {
    id: namespaceId(namespace),
    name: isUser ? namespace.user.name : namespace.group.name,
    path: isUser ? namespace.user.username : namespace.group.path,
    kind: namespace.kind,
    full_path: path,
    parent_id: isUser ? null : namespace.group.parentId,
    avatar_url: isUser ? `/uploads/-/avatars/${path}.svg` : null,
    web_url: isUser ? `${world.url}/${path}` : `${world.url}/groups/${path}`,
  };
}

/** A namespace by its id, as projects show it. */
export function renderNamespaceOf(world: GitlabWorld, id: number): Body | null {
  const namespace = namespaceById(world, id);
  return namespace ? renderNamespaceBrief(world, namespace) : null;
}

/** A group. */
export function renderGroup(world: GitlabWorld, group: Group): Body {
  const path = groupPath(world, group);
  return {
    id: group.id,
    web_url: `${world.url}/groups/${path}`,
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: group.visibility,
    share_with_group_lock: false,
    require_two_factor_authentication: false,
    two_factor_grace_period: 48,
    project_creation_level: group.projectCreation ?? "developer",
    auto_devops_enabled: null,
    subgroup_creation_level: "maintainer",
    emails_disabled: false,
    emails_enabled: true,
    mentions_disabled: null,
    lfs_enabled: true,
    archived: false,
    default_branch: null,
    default_branch_protection: 2,
    avatar_url: null,
    request_access_enabled: true,
    full_name: groupName(world, group),
    full_path: path,
    created_at: group.createdAt,
    parent_id: group.parentId,
    organization_id: 1,
    shared_runners_setting: "enabled",
    ldap_cn: null,
    ldap_access: null,
    marked_for_deletion_on: null,
    wiki_access_level: "enabled",
  };
}

/** A member. */
export function renderMember(world: GitlabWorld, membership: Membership): Body {
  return {
    ...renderUserBrief(world, membership.userId),
    access_level: membership.level,
    created_at: membership.createdAt,
    expires_at: membership.expiresAt,
    membership_state: "active",
  };
}
