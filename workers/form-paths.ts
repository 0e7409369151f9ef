import type { ServerBuild } from "@remix-run/cloudflare";
import { matchPath } from "@remix-run/react";

type Routes = ServerBuild["routes"];

/**
 * Returns a function that says whether a path accepts a form. Client-side requests append `.data` to the path; the
 * dashboard's is `/_root.data`.
 */
export function formPaths(routes: Routes): (path: string) => boolean {
  const patterns = Object.values(routes).flatMap((route) =>
    route?.module.action ? [routePath(routes, route)] : [],
  );
  return (path) => {
    const page = path.replace(/\.data$/, "").replace(/^\/_root$/, "/");
    return patterns.some((pattern) => matchPath(pattern, page) !== null);
  };
}

/** The full path of a route, including its parents' segments. */
export function routePath(routes: Routes, route: NonNullable<Routes[string]>): string {
  const parts: string[] = [];
  for (let at: typeof route | undefined = route; at; at = at.parentId ? routes[at.parentId] : undefined)
    if (at.path) parts.unshift(at.path);
  return `/${parts.join("/")}`;
}
