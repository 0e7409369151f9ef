import { loadForAction } from "#app/api/load-for-action.ts";

/** The list's calls, loaded on first use: the page already contains its first rows. */
export const loadCalls = loadForAction(() => import("./calls.ts"));
