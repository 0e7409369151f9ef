import { ancestry, namespaceById } from "./namespaces.ts";
import { type GitlabWorld, type Group, type Label, type Milestone, nextId, type Project } from "./state.ts";

/** A label, and whether it belongs to the project itself. */
export type SeenLabel = Label & { isOwn: boolean };

/** Labels available in a project, its own and those of its groups, sorted by name. */
export function labelsIn(world: GitlabWorld, project: Project): SeenLabel[] {
  const own = project.labels.map((label) => ({ ...label, isOwn: true }));
  const inherited = groupsAround(world, project).flatMap(({ labels }) => labels);
  return [...own, ...inherited.map((label) => ({ ...label, isOwn: false }))].sort((a, b) =>
    a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1,
  );
}

/** A milestone available in a project, its own or one of its groups'. */
export function milestoneIn(
  world: GitlabWorld,
  project: Project,
  id: number | null,
): { milestone: Milestone; group: Group | null } | null {
  const own = project.milestones.find((milestone) => milestone.id === id);
  if (own) return { milestone: own, group: null };
  for (const group of groupsAround(world, project)) {
    const milestone = group.milestones.find((known) => known.id === id);
    if (milestone) return { milestone, group };
  }
  return null;
}

/** The groups of a project, nearest first. */
export function groupsAround(world: GitlabWorld, project: Project): Group[] {
  const namespace = namespaceById(world, project.namespaceId);
  return namespace?.kind === "group" ? ancestry(world, namespace.group).reverse() : [];
}

/** Creates missing labels, as GitLab does when an issue uses an unknown label. */
export function ensureLabels(world: GitlabWorld, project: Project, names: readonly string[]): void {
  const known = new Set(labelsIn(world, project).map(({ name }) => name));
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    project.labels.push({
      id: nextId(world.state),
      name,
      color: "#428BCA",
      description: null,
      priority: null,
    });
  }
}
