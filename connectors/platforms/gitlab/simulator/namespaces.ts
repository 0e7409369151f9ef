import {
  type GitlabWorld,
  type Group,
  type Membership,
  nextId,
  type Project,
  timestamp,
  type User,
  type Visibility,
} from "./state.ts";

/** Where projects live: a user's own namespace, or a group. */
export type Namespace = { kind: "user"; user: User } | { kind: "group"; group: Group };

/** Finds a user by username (case-insensitive) or by id. */
export function findUser(world: GitlabWorld, key: string | number): User | null {
  const wanted = String(key).toLowerCase();
  return (
    world.state.users.find(
      (user) =>
        user.username.toLowerCase() === wanted ||
        (typeof key === "number" ? user.id === key : `${user.id}` === wanted),
    ) ?? null
  );
}

/** Finds a namespace by its id. */
export function namespaceById(world: GitlabWorld, id: number): Namespace | null {
  const group = world.state.groups.find((candidate) => candidate.id === id);
  if (group) return { kind: "group", group };
  const user = world.state.users.find((candidate) => candidate.namespaceId === id);
  return user ? { kind: "user", user } : null;
}

/** Finds a namespace by its id or full path. */
export function findNamespace(world: GitlabWorld, key: string): Namespace | null {
  if (/^\d+$/.test(key)) return namespaceById(world, Number(key));
  const wanted = key.toLowerCase();
  const user = world.state.users.find((candidate) => candidate.username.toLowerCase() === wanted);
  if (user) return { kind: "user", user };
  const group = world.state.groups.find((candidate) => groupPath(world, candidate).toLowerCase() === wanted);
  return group ? { kind: "group", group } : null;
}

/** Id of a namespace. */
export function namespaceId(namespace: Namespace): number {
  return namespace.kind === "user" ? namespace.user.namespaceId : namespace.group.id;
}

/** `group/subgroup`, or the user's name. */
export function namespacePath(world: GitlabWorld, namespace: Namespace): string {
  return namespace.kind === "user" ? namespace.user.username : groupPath(world, namespace.group);
}

/** Full path of a group. */
export function groupPath(world: GitlabWorld, group: Group): string {
  return ancestry(world, group)
    .map(({ path }) => path)
    .join("/");
}

/** Full display name of a group: `Meridian / Docks`. */
export function groupName(world: GitlabWorld, group: Group): string {
  return ancestry(world, group)
    .map(({ name }) => name)
    .join(" / ");
}

/** The ancestors of a group, outermost first, then the group itself. */
export function ancestry(world: GitlabWorld, group: Group): Group[] {
  const parent = world.state.groups.find(({ id }) => id === group.parentId);
  return parent ? [...ancestry(world, parent), group] : [group];
}

/** Every group below a group. */
export function descendants(world: GitlabWorld, group: Group): Group[] {
  return world.state.groups
    .filter(({ parentId }) => parentId === group.id)
    .flatMap((child) => [child, ...descendants(world, child)]);
}

/** Level of a user in a group, inherited from its ancestors; 0 = none. */
export function groupLevel(world: GitlabWorld, userId: number, group: Group): number {
  return Math.max(0, ...ancestry(world, group).map(({ members }) => levelAmong(members, userId)));
}

/** Level of a user in a project; 0 = none. The owner of the namespace owns the project. */
export function projectLevel(world: GitlabWorld, userId: number, project: Project): number {
  const own = levelAmong(project.members, userId);
  const namespace = namespaceById(world, project.namespaceId);
  if (!namespace) return own;
  if (namespace.kind === "user") return namespace.user.id === userId ? 50 : own;
  return Math.max(own, groupLevel(world, userId, namespace.group));
}

/** All memberships that apply to a project, nearest first; `isDirect` leaves out inherited ones. */
export function membershipsOf(world: GitlabWorld, project: Project, isDirect: boolean): Membership[] {
  const namespace = namespaceById(world, project.namespaceId);
  const owner: Membership[] =
    namespace?.kind === "user"
      ? [{ userId: namespace.user.id, level: 50, createdAt: project.createdAt, expiresAt: null }]
      : [];
  const direct = [...owner, ...project.members];
  if (isDirect || namespace?.kind !== "group") return direct;
  const inherited = ancestry(world, namespace.group).flatMap(({ members }) => members);
  return strongest([...direct, ...inherited]);
}

/** One membership per user, with the highest level. */
export function strongest(memberships: readonly Membership[]): Membership[] {
  const best = new Map<number, Membership>();
  for (const membership of memberships) {
    const known = best.get(membership.userId);
    if (!known || known.level < membership.level) best.set(membership.userId, membership);
  }
  return [...best.values()].sort((a, b) => a.userId - b.userId);
}

/** Creates a user with their namespace. */
export function createUser(world: GitlabWorld, order: Pick<User, "username" | "name"> & Partial<User>): User {
  const user: User = {
    id: nextId(world.state),
    namespaceId: nextId(world.state),
    email: `${order.username}@meridian.example`,
    bio: "",
    location: "",
    createdAt: "2021-03-04T08:15:00.000Z",
    ...order,
  };
  world.state.users.push(user);
  world.save();
  return user;
}

/** Creates a group. */
export function createGroup(
  world: GitlabWorld,
  order: Pick<Group, "path" | "name"> & Partial<Group> & { visibility?: Visibility },
): Group {
  const group: Group = {
    id: nextId(world.state),
    parentId: null,
    description: "",
    visibility: "private",
    members: [],
    labels: [],
    milestones: [],
    createdAt: timestamp(),
    ...order,
  };
  world.state.groups.push(group);
  world.save();
  return group;
}

function levelAmong(members: readonly Membership[], userId: number): number {
  return members.find((member) => member.userId === userId)?.level ?? 0;
}
