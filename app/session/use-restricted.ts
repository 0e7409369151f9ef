import { useRouteLoaderData } from "@remix-run/react";

/** True in embedded or marketplace mode, which hides sales (spec: the setting RESTRICTED_MODE). */
export function useRestricted(): boolean {
  return useRouteLoaderData<{ isRestricted: boolean }>("root")?.isRestricted ?? false;
}
