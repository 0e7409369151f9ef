import { OFFERED_PLATFORMS } from "#app/shell/known-platforms.ts";

/** The name of a platform, e.g. "GitHub". */
export function labelOf(platform: string): string {
  return OFFERED_PLATFORMS.find(({ id }) => id === platform)?.label ?? platform;
}
