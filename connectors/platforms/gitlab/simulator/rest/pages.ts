import type { Context } from "hono";
import type { GitlabWorld } from "../state.ts";
import { fault } from "./answers.ts";

/** How a list is paged. */
export type PageOptions<T> = {
  /** Name of the class whose offsets are limited, e.g. `Project`. */
  limited?: string;
  /** The number to sort by with `pagination=keyset`; absent = the list supports offsets only. */
  keyset?: (item: T) => number;
};

/**
 * One page of a list: offsets with `X-` headers and `Link`, or `pagination=keyset` with only a `Link` to the next page.
 * Above `countLimit` the totals are left out, as on GitLab.com above 10,000 rows.
 */
export function page<T>(
  c: Context,
  world: GitlabWorld,
  items: readonly T[],
  render: (item: T) => unknown,
  options: PageOptions<T> = {},
): Response {
  const asked = Number.parseInt(c.req.query("per_page") ?? "20", 10);
  const perPage = Number.isNaN(asked) || asked < 1 ? 20 : Math.min(asked, 100);
  if (c.req.query("pagination") === "keyset" && options.keyset) {
    return keysetPage(c, world, items, render, options.keyset, perPage);
  }
  const number = Math.max(1, Number.parseInt(c.req.query("page") ?? "1", 10) || 1);
  const offset = (number - 1) * perPage;
  if (options.limited && offset > world.settings.offsetLimit) {
    const error =
      `Offset pagination has a maximum allowed offset of ${world.settings.offsetLimit} ` +
      `for requests that return objects of type ${options.limited}. ` +
      "Remaining records can be retrieved using keyset pagination.";
    return fault(c, world, 405, { error });
  }
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const isCounted = items.length <= world.settings.countLimit;
  const next = number < last ? String(number + 1) : "";
  const link = (to: number, relation: string) =>
    `<${address(c, world, { page: String(to), per_page: String(perPage) })}>; rel="${relation}"`;
  const links = [
    ...(number > 1 ? [link(number - 1, "prev")] : []),
    ...(number < last ? [link(number + 1, "next")] : []),
    link(1, "first"),
    ...(isCounted ? [link(last, "last")] : []),
  ];
  c.header("Link", links.join(", "));
  c.header("X-Next-Page", next);
  c.header("X-Page", String(number));
  c.header("X-Per-Page", String(perPage));
  c.header("X-Prev-Page", number > 1 ? String(number - 1) : "");
  if (isCounted) {
    c.header("X-Total", String(items.length));
    c.header("X-Total-Pages", String(last));
  }
  return c.json(items.slice(offset, offset + perPage).map(render) as object);
}

/** Keyset pages sort by the number alone; the next page begins after (or before) the last one of this page. */
function keysetPage<T>(
  c: Context,
  world: GitlabWorld,
  items: readonly T[],
  render: (item: T) => unknown,
  key: (item: T) => number,
  perPage: number,
): Response {
  if ((c.req.query("order_by") ?? "id") !== "id") {
    return fault(c, world, 405, { error: "Keyset pagination is not yet available for this type of request" });
  }
  const isAscending = c.req.query("sort") === "asc";
  const after = c.req.query("id_after");
  const before = c.req.query("id_before");
  const rest = [...items]
    .sort((a, b) => (isAscending ? key(a) - key(b) : key(b) - key(a)))
    .filter((item) => after === undefined || key(item) > Number(after))
    .filter((item) => before === undefined || key(item) < Number(before));
  const shown = rest.slice(0, perPage);
  const end = shown.at(-1);
  if (end !== undefined && rest.length > shown.length) {
    const edge: Record<string, string> = isAscending
      ? { id_after: String(key(end)) }
      : { id_before: String(key(end)) };
    c.header("Link", `<${address(c, world, { ...edge, per_page: String(perPage) })}>; rel="next"`);
  }
  return c.json(shown.map(render) as object);
}

function address(c: Context, world: GitlabWorld, more: Record<string, string>): string {
  const url = new URL(c.req.url);
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  url.searchParams.delete("access_token");
  url.searchParams.delete("private_token");
  return `${world.url}${url.pathname}${url.search}`;
}

/** Sorts a list by a key, descending by default; items with equal keys by id. */
export function ordered<T extends { id: number }>(
  items: readonly T[],
  key: (item: T) => string | number,
  sort: string | undefined,
): T[] {
  const sign = sort === "asc" ? 1 : -1;
  return items
    .map((item) => ({ item, key: key(item) }))
    .sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : a.item.id - b.item.id))
    .map(({ item }) => item);
}
