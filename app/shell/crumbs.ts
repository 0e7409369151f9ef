import { useMatches } from "@remix-run/react";

export type Crumb = { label: string; to?: string };

/**
 * What a route exports as `handle` to name its place in the top bar. `data` is the route's own loader data, undefined
 * while its error screen shows.
 */
export type CrumbHandle<Data = unknown> = {
  crumbs: (data: Data | undefined, params: Readonly<Record<string, string | undefined>>) => readonly Crumb[];
};

/** The path to the current screen, from the general to the particular. */
export function useCrumbs(): readonly Crumb[] {
  return useMatches().flatMap((match) => {
    const handle = match.handle as Partial<CrumbHandle> | undefined;
    return handle?.crumbs ? handle.crumbs(match.data, match.params) : [];
  });
}
