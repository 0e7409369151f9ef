import type { ServerBuild } from "@remix-run/cloudflare";
import { matchPath } from "@remix-run/react";

type Routes = ServerBuild["routes"];

/**
 * Tells whether a screen at an address takes a form. A page asks by script for the same address with `.data` behind it, and
 * for the dashboard's as `/_root.data`.
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

/** The path of a route, its frames' included. */
export function routePath(routes: Routes, route: NonNullable<Routes[string]>): string {
  const parts: string[] = [];
  for (let at: typeof route | undefined = route; at; at = at.parentId ? routes[at.parentId] : undefined)
    if (at.path) parts.unshift(at.path);
  return `/${parts.join("/")}`;
}
