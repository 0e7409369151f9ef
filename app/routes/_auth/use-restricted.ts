import { useRouteLoaderData } from "@remix-run/react";

/** True when this installation runs inside a marketplace app, which has shorter flows (spec A-033). */
export function useRestricted(): boolean {
  return useRouteLoaderData<{ isRestricted: boolean }>("routes/_auth")?.isRestricted ?? false;
}
