import { expect, test } from "vitest";
import { type NamePage, nameCommands, nameNote } from "./found-names.ts";

const item = (name: string, titles: readonly string[], more: Partial<NamePage["items"][number]> = {}) => ({
  ...{ id: `itm_${name}`, platform: "p", name, fullName: name, snapshotId: "snp_1", hasMore: false },
  names: titles.map((title) => ({ one: "card", title, folder: null, path: `cards/${title}` })),
  ...more,
});
const page = (facts: Partial<NamePage> = {}): NamePage => ({
  ...{ items: [], searched: 3, next: null, cut: [], unindexed: 0 },
  ...facts,
});
const shown = (pages: readonly NamePage[], more: Partial<Parameters<typeof nameCommands>[0]> = {}) =>
  nameCommands({ pages, text: "a", typed: "a", isFetching: false, isFailed: false, ...more }).map(
    ({ commands }) => commands.map(({ label }) => label),
  );

test("a name opens in its version where it is seen, and tells its item and kind", () => {
  const groups = nameCommands({
    ...{ pages: [page({ items: [item("plans", ["Login"])] })], text: "a", typed: "a" },
    ...{ isFetching: false, isFailed: false },
  });
  expect(groups[1]?.commands).toEqual([
    {
      ...{ id: "name:itm_plans:cards/Login", does: "go", label: "Login", detail: "plans", note: "card" },
      platform: "p",
      to: "/platform/backups/p/version?id=itm_plans&version=snp_1&path=cards%2FLogin",
    },
  ]);
  const names = [{ one: "file", title: "a.ts", folder: "src/forms", path: ":file:git:main:src/forms/a.ts" }];
  const files = nameCommands({
    ...{ pages: [page({ items: [item("shop", [], { names })] })], text: "a", typed: "a" },
    ...{ isFetching: false, isFailed: false },
  });
  expect(files[1]?.commands).toMatchObject([{ label: "a.ts", detail: "shop/src/forms" }]);
});

test("what is typed anew comes first, what is left comes last, and a failure can be tried again", () => {
  const pages = [page({ items: [item("plans", ["Login"])], next: "1.itm" })];
  expect(shown(pages)).toEqual([[], ["Login"], ["Search more items"]]);
  expect(shown([...pages, page()])).toEqual([[], ["Login"], []]);
  expect(shown(pages, { isFetching: true })).toEqual([[], ["Login"], []]);
  expect(shown(pages, { typed: "ab" })[0]).toEqual(["Find “ab” inside versions"]);
  expect(shown([], { typed: "" })).toEqual([[], [], []]);
  expect(shown([], { isFailed: true })).toEqual([[], [], ["Try again"]]);
});

test("the note says what was searched, what was left out and what cannot be searched yet", () => {
  expect(nameNote([page()], "x")).toBe("No name contains “x” inside the newest versions of 3 items.");
  expect(nameNote([page({ searched: 0, unindexed: 1 })], "x")).toBe(
    "There is no version yet whose names can be searched. 1 item can be searched after its next check.",
  );
  const items = [item("plans", ["Login", "Log"], { hasMore: true })];
  const first = page({
    items,
    searched: 100,
    next: "1.itm",
    cut: [{ name: "big", count: 5000 }],
    unindexed: 2,
  });
  expect(nameNote([first], "x")).toBe(
    "2 names found inside the newest versions of 100 items. Older ones were not searched yet. " +
      "More names match in plans. Type more of the name. Of big, the first 5,000 names are searched. " +
      "2 items can be searched after their next check.",
  );
  expect(nameNote([first, page({ searched: 1, cut: [{ name: "huge", count: 5000 }] })], "x")).toContain(
    "of 101 items. More names match in plans. Type more of the name. Of big and 1 more, the first 5,000",
  );
});
