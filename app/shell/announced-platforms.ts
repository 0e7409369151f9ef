import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/** The five platforms of the product; one without a connector is announced and not offered yet. */
const PLATFORMS: Readonly<Record<string, string>> = {
  github: "GitHub",
  gitlab: "GitLab",
  trello: "Trello",
  jira: "Jira",
  notion: "Notion",
};

/** Name of a platform that is announced but has no connector; null for one that has, and for an unknown one. */
export function announcedPlatform(id: string): string | null {
  if (descriptors.some((descriptor) => descriptor.id === id) || !Object.hasOwn(PLATFORMS, id)) return null;
  return PLATFORMS[id] ?? null;
}
