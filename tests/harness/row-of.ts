import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/**
 * The id of a requirement about one platform, as it stands in a title. Empty until the product has the platform: until
 * then the test holds the rule, but no person can see it.
 */
export const rowOf = (id: string, platform: string): string =>
  descriptors.some((each) => each.id === platform) ? `[${id}] ` : "";
