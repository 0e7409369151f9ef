import { expect, test } from "vitest";
import type { PagesView } from "#connectors/contract/pages-view.ts";
import { findPlace } from "./find-place.ts";
import type { Viewed } from "./open-view.ts";

const PAGES: Partial<PagesView> = {
  tableAt: (path) => (path === "sources/vans.json" ? "vans" : null),
  roleOf: ({ path }) => (path === "pages/depots.json" ? { role: "part", id: "depots" } : null),
};

/** A version with entries of one kind, shown as pages. */
const opened = {
  connector: {
    entryKinds: { thing: {} },
    views: async () => [{ kind: "pages", id: "tree", label: "Pages", open: async () => PAGES }],
  },
  view: { find: async (path: string) => (path === "gone.json" ? null : { path, kind: "thing" }) },
} as unknown as Viewed;

test.each([
  ["sources/vans.json", { type: "table", viewId: "tree", tableId: "vans" }],
  ["pages/depots.json", { type: "part", viewKind: "pages", viewId: "tree", partId: "depots" }],
  ["state.json", { type: "record", path: "state.json" }],
  ["gone.json", null],
])("%s is seen where people see it", async (path, place) => {
  expect(await findPlace(opened, path)).toEqual(place);
});
