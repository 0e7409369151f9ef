import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/**
 * All known platforms in the order in which they are offered: the product's five by name, and Asana (null), which is
 * known but offered nowhere (spec A-011).
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
