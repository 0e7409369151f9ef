import { OFFERED_PLATFORMS } from "#app/shell/known-platforms.ts";

/** A platform that a colleague may get rights on. */
export type GrantablePlatform = { id: string; name: string };

/** The platforms that a colleague may get rights on, in order of their names. */
export const grantablePlatforms: readonly GrantablePlatform[] = OFFERED_PLATFORMS.map(({ id, label }) => ({
  id,
  name: label,
})).sort((one, other) => one.name.localeCompare(other.name, "en"));
