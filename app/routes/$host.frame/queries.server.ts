import type { AppLoadContext } from "@remix-run/cloudflare";

/** @throws 404 for a host whose app is not set up */
export function frameDoor({ services }: AppLoadContext, host: string): { publicUrl: string } {
  if (!services.hosts.some(({ base }) => base === `/${host}`)) throw new Response(null, { status: 404 });
  return { publicUrl: services.settings.PUBLIC_URL };
}
