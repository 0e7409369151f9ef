import { LEVEL, levelInGroup } from "../access.ts";
import type { Namespace } from "../namespaces.ts";
import { listProjects } from "../projects.ts";
import type { GitlabWorld, Project, User } from "../state.ts";
import type { RestContext } from "./answers.ts";

/** The lowest level that may create projects in a group, by the group's setting. */
const CREATORS = {
  noone: Number.POSITIVE_INFINITY,
  administrator: Number.POSITIVE_INFINITY,
  owner: LEVEL.owner,
  maintainer: LEVEL.maintainer,
  developer: LEVEL.developer,
} as const;

/** Whether the user may create projects: in a group by its setting (default: developers), or in their own namespace. */
export function mayCreateIn(c: RestContext, world: GitlabWorld, namespace: Namespace, user: User): boolean {
  if (namespace.kind === "user") return namespace.user.id === user.id;
  const least = CREATORS[namespace.group.projectCreation ?? "developer"];
  return levelInGroup(world, c.get("viewer"), namespace.group) >= least;
}

/** Errors of a name or path, by field, in GitLab's words; null = none. */
export function nameFaults(
  world: GitlabWorld,
  inNamespace: number,
  { name, path }: { name: string; path: string },
  self: Project | null,
): Record<string, string[]> | null {
  const faults: Record<string, string[]> = {};
  if (
    !/^[\p{L}\p{N}_\p{Emoji_Presentation}]/u.test(name) ||
    !/^[\p{L}\p{N}\p{M}_\p{Emoji_Presentation}.+ \-()]*$/u.test(name)
  ) {
    faults.name = [
      "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.",
    ];
  }
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(path) || /\.(git|atom)$|[._-]$|[._-]{2}/.test(path)) {
    faults.path = [
      "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'",
      "must not start or end with a special character and must not contain consecutive special characters.",
    ];
  }
  const siblings = listProjects(world).filter(
    (project) => project.namespaceId === inNamespace && project !== self,
  );
  if (siblings.some((project) => project.name.toLowerCase() === name.toLowerCase())) {
    faults.name = [...(faults.name ?? []), "has already been taken"];
    faults.project_namespace = ["name has already been taken"];
  }
  if (siblings.some((project) => project.path.toLowerCase() === path.toLowerCase())) {
    faults.path = [...(faults.path ?? []), "has already been taken"];
  }
  return Object.keys(faults).length === 0 ? null : faults;
}

/** The default path for a name. */
export function slug(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^a-z0-9_.-]+/g, "-").replace(/^[-._]+|[-._]+$/g, "");
}
