import { loadOnce } from "#app/load-once.ts";

/** The list's calls, fetched with the first one: the page comes with its first rows. */
export const loadCalls = loadOnce(() => import("./calls.ts"));
