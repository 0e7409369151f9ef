import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import {
  findRootRepositories,
  freeName,
  type RootRepository,
} from "#connectors/toolkit/simulator/git-root.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { createAccount, findAccount, type GithubWorld, nextId, type Repository, timestamp } from "./state.ts";

/** Every repository that is not deleted. Those below `SIM_GIT_ROOT` are read again on each call. */
export function listRepositories(world: GithubWorld): Repository[] {
  discoverExternal(world);
  return world.state.repositories.filter((repository) => !repository.isDeleted);
}

/** What a name resolves to: a repository, a repository that was renamed, or nothing. */
export type Lookup =
  | { kind: "found"; repository: Repository }
  | { kind: "moved"; repository: Repository }
  | { kind: "missing" };

/** Looks up a repository by owner and name, ignoring case. A new repository takes precedence over an old name. */
export function lookUpRepository(world: GithubWorld, owner: string, name: string): Lookup {
  const wanted = `${owner}/${name}`.toLowerCase();
  const living = listRepositories(world);
  const found = living.find((repository) => fullName(repository).toLowerCase() === wanted);
  if (found) return { kind: "found", repository: found };
  const moved = living.find((repository) => repository.formerNames.includes(wanted));
  return moved ? { kind: "moved", repository: moved } : { kind: "missing" };
}

/** `owner/name`. */
export function fullName(repository: Repository): string {
  return `${repository.owner}/${repository.name}`;
}

/** Path of its bare repository. */
export function gitDirectory(world: GithubWorld, repository: Repository): string {
  return repository.external ?? path.join(world.directory, "repositories", `${repository.id}.git`);
}

/** Creates a repository with an empty bare repository whose HEAD names `main`. */
export function createRepository(
  world: GithubWorld,
  order: Pick<Repository, "owner" | "name"> & Partial<Repository>,
): Repository {
  const now = timestamp();
  const repository: Repository = {
    id: nextId(world.state),
    description: null,
    homepage: null,
    language: null,
    visibility: "public",
    topics: [],
    isArchived: false,
    hasIssues: true,
    hasProjects: true,
    hasWiki: true,
    hasDiscussions: false,
    isActionsEnabled: true,
    createdAt: now,
    updatedAt: now,
    pushedAt: now,
    external: null,
    formerNames: [],
    isBlocked: false,
    hasPushProtection: false,
    isDeleted: false,
    ...order,
  };
  world.state.repositories.push(repository);
  if (!repository.external) initBare(gitDirectory(world, repository));
  world.save();
  return repository;
}

/** Deletes a repository permanently. One below `SIM_GIT_ROOT` is only hidden, because its files are not ours. */
export function deleteRepository(world: GithubWorld, repository: Repository): void {
  repository.isDeleted = true;
  if (repository.external) repository.isHidden = true;
  else {
    const directory = gitDirectory(world, repository);
    rmSync(directory, { recursive: true, force: true });
    rmSync(directory.replace(/\.git$/, ".wiki.git"), { recursive: true, force: true });
  }
  world.records.drop(repository);
  world.save();
}

/** Renames a repository. The old name redirects to it. */
export function renameRepository(world: GithubWorld, repository: Repository, name: string): void {
  repository.formerNames.push(fullName(repository).toLowerCase());
  repository.name = name;
  repository.updatedAt = timestamp();
  world.save();
}

/** The branch that HEAD names, whether it exists or not. */
export function defaultBranch(world: GithubWorld, repository: Repository): string {
  const head = readFileSync(path.join(gitDirectory(world, repository), "HEAD"), "utf8");
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? "main";
}

/** Refs below a prefix with the commits they point to, in git's order. */
export function listRefs(
  world: GithubWorld,
  repository: Repository,
  prefix: string,
): { name: string; commit: string }[] {
  const format = "%(refname)%00%(objectname)%00%(*objectname)";
  return runGit(gitDirectory(world, repository), ["for-each-ref", `--format=${format}`, prefix])
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [ref = "", object = "", peeled = ""] = line.split("\0");
      return { name: ref.slice(prefix.length), commit: peeled || object };
    });
}

/** Size in kilobytes, as GitHub reports it. */
export function sizeKilobytes(world: GithubWorld, repository: Repository): number {
  let bytes = 0;
  const walk = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const full = path.join(directory, entry.name);
      if (entry.isDirectory()) walk(full);
      else if (entry.isFile()) bytes += statSync(full, { throwIfNoEntry: false })?.size ?? 0;
    }
  };
  const objects = path.join(gitDirectory(world, repository), "objects");
  if (existsSync(objects)) walk(objects);
  return Math.ceil(bytes / 1024);
}

/** Time of the last push. Pushes below `SIM_GIT_ROOT` are not recorded, so the ref files' times are used. */
export function pushedAt(world: GithubWorld, repository: Repository): string {
  if (!repository.external) return repository.pushedAt;
  const times = ["HEAD", "packed-refs", "refs", "refs/heads"].map(
    (name) =>
      statSync(path.join(gitDirectory(world, repository), name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return timestamp(Math.max(...times));
}

/** Repositories below `SIM_GIT_ROOT` can appear and disappear at any time, so every call scans the folder. */
function discoverExternal(world: GithubWorld): void {
  const there = findRootRepositories(world.settings.gitRoot);
  const known = new Map(world.state.repositories.map((repository) => [repository.external, repository]));
  for (const found of there) if (!known.has(found.directory)) adoptExternal(world, found);
  const directories = new Set(there.map(({ directory }) => directory));
  for (const repository of world.state.repositories) {
    if (repository.external === null) continue;
    const isDeleted = repository.isHidden === true || !directories.has(repository.external);
    if (repository.isDeleted === isDeleted) continue;
    repository.isDeleted = isDeleted;
    world.save();
  }
}

function adoptExternal(world: GithubWorld, { owner: folder, name, directory }: RootRepository): void {
  const login = safeLogin(folder);
  let owner = findAccount(world, login);
  if (!owner) {
    const users = world.state.accounts.filter((account) => account.type === "User");
    owner = createAccount(world, {
      type: "Organization",
      login,
      name: folder,
      members: Object.fromEntries(users.map((user) => [user.login, "admin" as const])),
    });
  }
  const { login: ownerLogin } = owner;
  const taken = new Set(
    world.state.repositories
      .filter((one) => one.owner === ownerLogin && !one.isDeleted)
      .map((one) => one.name.toLowerCase()),
  );
  const descriptionFile = path.join(directory, "description");
  const described = existsSync(descriptionFile) ? readFileSync(descriptionFile, "utf8").trim() : "";
  createRepository(world, {
    owner: ownerLogin,
    name: freeName(repositoryName(name), (free) => taken.has(free.toLowerCase())),
    visibility: "private",
    description: described.startsWith("Unnamed repository") || described === "" ? null : described,
    external: directory,
  });
}

/** GitHub replaces invalid characters instead of refusing them. The returned name is the one to use. */
export function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "-");
}

/** Converts a folder name to a repository name, as GitHub would. */
function repositoryName(folder: string): string {
  const name = safeName(folder)
    .replace(/(\.(git|wiki))+$/i, "")
    .slice(0, 96);
  return /^\.*$/.test(name) ? "repository" : name;
}

/** Converts a folder name to a login: letters, digits and single inner hyphens. */
function safeLogin(folder: string): string {
  const login = folder
    .replace(/[^A-Za-z0-9]+/g, "-")
    .slice(0, 39)
    .replace(/^-|-$/g, "");
  return login === "" ? "owner" : login;
}
