import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/**
 * All known platforms: the product's five by name, including announced ones without a connector, and Asana (null),
 * which is known but offered nowhere (spec A-011).
 */
export const KNOWN_PLATFORMS: Readonly<Record<string, string | null>> = {
  github: "GitHub",
  gitlab: "GitLab",
  trello: "Trello",
  jira: "Jira",
  notion: "Notion",
  asana: null,
};

/** The platforms that people may choose: those of the product's five by name, then others that have a connector. */
export const OFFERED_PLATFORMS: readonly { id: string; label: string }[] = [
  ...Object.entries(KNOWN_PLATFORMS).flatMap(([id, label]) => (label === null ? [] : [{ id, label }])),
  ...descriptors
    .filter(({ id }) => !Object.hasOwn(KNOWN_PLATFORMS, id))
    .map(({ id, label }) => ({ id, label })),
];

/** Name of a platform that is announced but has no connector yet; null for all others. */
export function announcedPlatform(id: string): string | null {
  if (descriptors.some((descriptor) => descriptor.id === id) || !Object.hasOwn(KNOWN_PLATFORMS, id))
    return null;
  return KNOWN_PLATFORMS[id] ?? null;
}
