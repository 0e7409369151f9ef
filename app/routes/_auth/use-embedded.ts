import { useRouteLoaderData } from "@remix-run/react";

/** True inside a marketplace app or a platform's frame, which have shorter flows (spec ). */
export function useEmbedded(): boolean {
  return useRouteLoaderData<{ isEmbedded: boolean }>("routes/_auth")?.isEmbedded ?? false;
}
