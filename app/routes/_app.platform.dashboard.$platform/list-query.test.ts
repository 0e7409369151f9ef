import { expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import {
  accountSearch,
  changedSearch,
  ITEMS_PER_PAGE,
  neighbour,
  pageWithin,
  parseListQuery,
  placeKey,
  queryKey,
} from "./list-query.ts";

const KNOWN = {
  connectionId: null,
  kinds: [
    { id: "repository", isSub: false },
    { id: "gist", isSub: true },
  ],
  placeIds: ["plc_a", "plc_b"],
};
const DEFAULTS = { connectionId: null, sort: "name", after: null, before: null };
const read = (search: string) => parseListQuery(new URLSearchParams(search), KNOWN);

test("an empty query means the first kind and place, page one, all items", () => {
  expect(read("")).toEqual({
    kind: "repository",
    placeId: "plc_a",
    page: 0,
    name: "",
    filter: "all",
    ...DEFAULTS,
  });
});

test("a query is read back as written", () => {
  const search = changedSearch(new URLSearchParams("place=plc_b&q=edi&filter=failed"), { page: 2 });
  expect(parseListQuery(search, KNOWN)).toEqual({
    kind: "repository",
    placeId: "plc_b",
    page: 2,
    name: "edi",
    filter: "failed",
    ...DEFAULTS,
  });
});

test("switching accounts clears the rest of the query and loads other rows", () => {
  const of = (connectionId: string) => parseListQuery(new URLSearchParams(), { ...KNOWN, connectionId });
  const next = accountSearch(new URLSearchParams("account=con_1&kind=gist&place=plc_a&page=3&q=x"), "con_2");
  expect(next.toString()).toBe("account=con_2&kind=gist");
  expect(placeKey(of("con_1"))).not.toBe(placeKey(of("con_2")));
  expect(queryKey(of("con_1"))).not.toBe(queryKey(of("con_2")));
});

test("a neighbouring page is requested by a row of the current one, any other by number", () => {
  const keys = { first: "F", last: "L" };
  expect(neighbour(3, 4, keys)).toEqual({ page: 4, after: "L" });
  expect(neighbour(3, 2, keys)).toEqual({ page: 2, before: "F" });
  expect(neighbour(1, 0, keys)).toEqual({ page: 0 });
  expect(neighbour(3, 9, keys)).toEqual({ page: 9 });
  expect(neighbour(3, 4, null)).toEqual({ page: 4 });
  const search = changedSearch(new URLSearchParams("page=4&after=L&sort=-name"), { name: "x" });
  expect(parseListQuery(search, KNOWN)).toMatchObject({ page: 0, after: null, sort: "-name", name: "x" });
});

test("[P-005] id selects what is shown, and a second kind has no place", () => {
  const kinds = descriptors.find(({ id }) => id === "gitlab")?.itemKinds ?? [];
  for (const { id } of kinds) {
    const found = parseListQuery(new URLSearchParams({ id }), { connectionId: null, kinds, placeIds: [] });
    expect(found).toMatchObject({ kind: id, placeId: null });
  }
  expect(kinds.map(({ id }) => id)).toEqual(["project", "snippet"]);
  expect(read("id=gist&place=plc_b")).toMatchObject({ kind: "gist", placeId: null });
  expect(read("id=whatever")).toEqual(read(""));
});

test("unknown values in the URL are ignored", () => {
  expect(read("place=plc_of_others&kind=board&filter=x&page=-4")).toEqual(read(""));
  expect(read("page=abc").page).toBe(0);
});

test("[P-083] a search returns to the first page", () => {
  expect(parseListQuery(changedSearch(new URLSearchParams("page=3"), { name: "x" }), KNOWN).page).toBe(0);
});

test("a filter, a place and a kind also return to the first page", () => {
  for (const change of [{ filter: "failed" as const }, { placeId: "plc_b" }, { kind: "gist" }]) {
    expect(parseListQuery(changedSearch(new URLSearchParams("page=3"), change), KNOWN).page).toBe(0);
  }
});

test("[P-225] when the last item of the last page is gone, the previous page is shown", () => {
  expect(pageWithin(2, 20)).toBe(1);
  expect(pageWithin(1, 11)).toBe(1);
  expect(pageWithin(1, 10)).toBe(0);
  expect(pageWithin(0, 0)).toBe(0);
});

test("[P-066] a page has ten rows", () => {
  expect(ITEMS_PER_PAGE).toBe(10);
  expect(pageWithin(9, 21)).toBe(2);
});

test("a selection belongs to place and kind, not to page, search or filter", () => {
  expect(placeKey(read("page=2&q=a&filter=failed"))).toBe(placeKey(read("")));
  expect(placeKey(read("place=plc_b"))).not.toBe(placeKey(read("")));
  expect(queryKey(read("page=2"))).not.toBe(queryKey(read("")));
});
