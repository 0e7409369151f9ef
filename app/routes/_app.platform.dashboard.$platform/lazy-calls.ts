import { loadOnce } from "#app/load-once.ts";

/** The list's calls, loaded on first use: the page already contains its first rows. */
export const loadCalls = loadOnce(() => import("./calls.ts"));
