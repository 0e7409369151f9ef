import type { Services } from "#workers/services.ts";

/** Where a provider sends the browser back to after its consent page; registered with the provider. */
export function callbackUrl(services: Pick<Services, "settings">, platform: string): string {
  return `${services.settings.PUBLIC_URL}/connect/${platform}/callback`;
}
