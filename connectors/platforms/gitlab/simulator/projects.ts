import { existsSync } from "node:fs";
import path from "node:path";
import {
  findRootRepositories,
  freeName,
  type RootRepository,
} from "#connectors/toolkit/simulator/git-root.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { removeBare } from "./bare.ts";
import {
  createGroup,
  findNamespace,
  groupName,
  namespaceById,
  namespaceId,
  namespacePath,
} from "./namespaces.ts";
import { type GitlabWorld, nextId, type Project, timestamp } from "./state.ts";

/** Every project that is not deleted. Rereads those below `SIM_GIT_ROOT`. */
export function listProjects(world: GitlabWorld): Project[] {
  discoverExternal(world);
  return world.state.projects.filter((project) => !project.isDeleted);
}

/** The result of a lookup by id or path: a project, a project that moved away from the path, or nothing. */
export type ProjectLookup =
  | { kind: "found"; project: Project }
  | { kind: "moved"; project: Project }
  | { kind: "missing" };

/** Looks up a project by its id or its full path (case-insensitive). */
export function lookUpProject(world: GitlabWorld, key: string): ProjectLookup {
  const living = listProjects(world);
  const wanted = key.toLowerCase();
  const found = living.find((project) =>
    /^\d+$/.test(key) ? project.id === Number(key) : fullPath(world, project).toLowerCase() === wanted,
  );
  if (found) return { kind: "found", project: found };
  const moved = living.find((project) => project.formerPaths.includes(wanted));
  return moved ? { kind: "moved", project: moved } : { kind: "missing" };
}

/** `group/subgroup/project`. */
export function fullPath(world: GitlabWorld, project: Project): string {
  const namespace = namespaceById(world, project.namespaceId);
  return `${namespace ? namespacePath(world, namespace) : "gone"}/${project.path}`;
}

/** `Group / Subgroup / Project`. */
export function fullName(world: GitlabWorld, project: Project): string {
  const namespace = namespaceById(world, project.namespaceId);
  if (!namespace) return project.name;
  const place = namespace.kind === "user" ? namespace.user.name : groupName(world, namespace.group);
  return `${place} / ${project.name}`;
}

/** Directory of its code. */
export function codeDirectory(world: GitlabWorld, project: Project): string {
  return project.external ?? path.join(world.directory, "repositories", `${project.id}.git`);
}

/** Directory of its wiki; it does not exist before the first page. */
export function wikiDirectory(world: GitlabWorld, project: Project): string {
  const beside = project.external?.replace(/\.git$/, ".wiki.git");
  if (beside !== undefined && existsSync(beside)) return beside;
  return path.join(world.directory, "repositories", `${project.id}.wiki.git`);
}

/** Creates a project with an empty repository. */
export function createProject(
  world: GitlabWorld,
  order: Pick<Project, "namespaceId" | "path" | "name" | "creatorId"> & Partial<Project>,
): Project {
  const now = order.createdAt ?? timestamp();
  const project: Project = {
    id: nextId(world.state),
    description: null,
    visibility: "private",
    topics: [],
    isArchived: false,
    issuesAccess: "enabled",
    mergeRequestsAccess: "enabled",
    wikiAccess: "enabled",
    snippetsAccess: "enabled",
    hasLfs: true,
    mergeMethod: "merge",
    settings: {},
    createdAt: now,
    updatedAt: now,
    lastActivityAt: now,
    isFilled: false,
    external: null,
    formerPaths: [],
    markedForDeletionOn: null,
    isDeleted: false,
    members: [],
    labels: [],
    milestones: [],
    issues: [],
    mergeRequests: [],
    releases: [],
    boards: [],
    variables: [],
    hooks: [],
    protectedBranches: [],
    uploads: [],
    exportStatus: "none",
    importStatus: "none",
    importError: null,
    ...order,
  };
  world.state.projects.push(project);
  if (!project.external) initBare(codeDirectory(world, project));
  world.save();
  return project;
}

/** Deletes a project permanently. A repository below `SIM_GIT_ROOT` is only hidden, because its files are not ours. */
export function deleteProject(world: GitlabWorld, project: Project): void {
  project.isDeleted = true;
  if (project.external) project.isHidden = true;
  else {
    removeBare(codeDirectory(world, project));
    removeBare(wikiDirectory(world, project));
  }
  for (const snippet of world.state.snippets.filter(({ projectId }) => projectId === project.id)) {
    removeBare(path.join(world.directory, "snippets", `${snippet.id}.git`));
  }
  world.state.snippets = world.state.snippets.filter(({ projectId }) => projectId !== project.id);
  world.save();
}

/**
 * Marks a project for deletion, the first step of deleting by the API. Its path and name change at once, so that they
 * can be reused; its owners can still read it until that day.
 */
export function markForDeletion(world: GitlabWorld, project: Project): void {
  project.markedForDeletionOn = timestamp(Date.now() + 30 * 86_400_000).slice(0, 10);
  project.path = `${project.path}-deletion_scheduled-${project.id}`;
  project.name = `${project.name}-deletion_scheduled-${project.id}`;
  project.updatedAt = timestamp();
  world.save();
}

/** Changes its path or namespace; the old path redirects. */
export function moveProject(
  world: GitlabWorld,
  project: Project,
  to: { path?: string; namespaceId?: number },
): void {
  const before = fullPath(world, project).toLowerCase();
  project.path = to.path ?? project.path;
  project.namespaceId = to.namespaceId ?? project.namespaceId;
  if (fullPath(world, project).toLowerCase() !== before) project.formerPaths.push(before);
  project.updatedAt = timestamp();
  world.save();
}

/** Updates a project's activity times. */
export function touchProject(world: GitlabWorld, project: Project): void {
  project.lastActivityAt = timestamp();
  project.updatedAt = project.lastActivityAt;
  world.save();
}

/** Repositories below `SIM_GIT_ROOT` may appear and disappear at any time, so every lookup rereads them. */
function discoverExternal(world: GitlabWorld): void {
  const there = findRootRepositories(world.settings.gitRoot);
  const known = new Set(world.state.projects.map(({ external }) => external));
  for (const found of there) if (!known.has(found.directory)) adoptExternal(world, found);
  const directories = new Set(there.map(({ directory }) => directory));
  for (const project of world.state.projects) {
    if (project.external === null) continue;
    const isDeleted = project.isHidden === true || !directories.has(project.external);
    if (project.isDeleted === isDeleted) continue;
    project.isDeleted = isDeleted;
    world.save();
  }
}

/** Adds an external repository. An unknown owner becomes a group that every user owns. */
function adoptExternal(world: GitlabWorld, { owner, name, directory }: RootRepository): void {
  const everybody = world.state.users.map(({ id }) => ({
    userId: id,
    level: 50,
    createdAt: timestamp(),
    expiresAt: null,
  }));
  const groupPath = safePath(owner);
  const namespace = findNamespace(world, groupPath) ?? {
    kind: "group" as const,
    group: createGroup(world, { path: groupPath, name: owner, members: everybody }),
  };
  const inNamespace = namespaceId(namespace);
  const siblings = world.state.projects.filter((one) => one.namespaceId === inNamespace && !one.isDeleted);
  const taken = new Set(siblings.map((project) => project.path.toLowerCase()));
  const free = freeName(safePath(name), (one) => taken.has(one.toLowerCase()));
  createProject(world, {
    namespaceId: inNamespace,
    path: free,
    name: free,
    creatorId: world.state.users[0]?.id ?? 0,
    external: directory,
  });
}

/** Converts a folder's name to a valid GitLab path: letters and digits with single separators between them. */
function safePath(folder: string): string {
  const plain = folder
    .replace(/(\.(git|wiki|atom))+$/i, "")
    .replace(/[^A-Za-z0-9]*[^A-Za-z0-9._-][^A-Za-z0-9]*/g, "-");
  const single = plain
    .replace(/[._-]{2,}/g, "-")
    .slice(0, 200)
    .replace(/^[._-]|[._-]$/g, "");
  return single === "" || /^\d+$/.test(single) ? `project${single}` : single;
}
