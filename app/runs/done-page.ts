import { ALL_PER_PAGE, type DonePage, NEWEST_DONE } from "./runs-queries.ts";

/** The parameter of the address that lists all of today's ended runs; its value is the page, from 0. */
export const DONE_PARAMETER = "done";

/** The last page that can be asked for. */
const LAST_PAGE = 99;

/** Which ended runs an address lists: the newest, or `?done=<page>` of all. */
export function donePageOf(search: URLSearchParams): DonePage {
  const asked = search.get(DONE_PARAMETER);
  if (asked === null) return NEWEST_DONE;
  const page = /^[0-9]{1,2}$/.test(asked) ? Number(asked) : 0;
  return { page: Math.min(page, LAST_PAGE), perPage: ALL_PER_PAGE };
}
