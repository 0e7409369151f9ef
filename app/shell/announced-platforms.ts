import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/**
 * Every platform that is known: the five of the product by their names, of which one without a connector is announced
 * and not offered yet, and Asana, which is known and offered nowhere (spec A-011).
 */
export const KNOWN_PLATFORMS: Readonly<Record<string, string | null>> = {
  github: "GitHub",
  gitlab: "GitLab",
  trello: "Trello",
  jira: "Jira",
  notion: "Notion",
  asana: null,
};

/** Name of a platform that is announced but has no connector; null for one that has, and for any that is not offered. */
export function announcedPlatform(id: string): string | null {
  if (descriptors.some((descriptor) => descriptor.id === id) || !Object.hasOwn(KNOWN_PLATFORMS, id))
    return null;
  return KNOWN_PLATFORMS[id] ?? null;
}
