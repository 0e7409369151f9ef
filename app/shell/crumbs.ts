import { useMatches } from "@remix-run/react";

export type Crumb = { label: string; to?: string };

/**
 * The `handle` export of a route that adds crumbs to the top bar. `data` is the route's loader data; undefined while
 * its error screen is shown.
 */
export type CrumbHandle<Data = unknown> = {
  crumbs: (data: Data | undefined, params: Readonly<Record<string, string | undefined>>) => readonly Crumb[];
};

/** The crumbs of the current screen, from general to specific. */
export function useCrumbs(): readonly Crumb[] {
  return useMatches().flatMap((match) => {
    const handle = match.handle as Partial<CrumbHandle> | undefined;
    return handle?.crumbs ? handle.crumbs(match.data, match.params) : [];
  });
}
