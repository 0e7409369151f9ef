import { useRouteLoaderData } from "@remix-run/react";

/** True in the embedded or marketplace mode, which hides what sells (spec: the setting RESTRICTED_MODE). */
export function useRestricted(): boolean {
  return useRouteLoaderData<{ isRestricted: boolean }>("root")?.isRestricted ?? false;
}
