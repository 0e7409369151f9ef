/** The list's calls, fetched with the first one: the page comes with its first rows. */
export const loadCalls = () => import("./calls.ts");
