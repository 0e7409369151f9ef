import { expect, test } from "vitest";
import type { OpenVersion } from "#core/browsing/index.ts";
import { pagesView } from "#core/exports/viewer/test-views.ts";
import { renderScreen } from "#tests/harness/render-screen.tsx";
import { PagesFrame } from "./pages-frame.tsx";
import { readPages } from "./queries.server.ts";

const version = { connector: { views: async () => [pagesView()] }, view: {} } as unknown as OpenVersion;

async function shown(query: string): Promise<string> {
  const pages = await readPages(version, new URLSearchParams(query));
  const data = {
    ...{ platform: "slate", itemId: "itm_1", snapshotId: "snp_1", page: null, problem: null },
    ...{ parts: {}, timeZone: "UTC", now: Date.UTC(2026, 10, 23) },
  };
  return renderScreen(<PagesFrame data={data} pages={pages} />);
}

/** Names in the tree, and the open one. */
const treeOf = (markup: string) => {
  const tree = /<nav class="tree".*?<\/nav>/s.exec(markup)?.[0] ?? "";
  return [...tree.matchAll(/<a([^>]*)>.*?<span class="clip"[^>]*>([^<]*)</gs)].map(
    ([, attributes, name]) => `${name}${attributes?.includes("aria-current") ? " (open)" : ""}`,
  );
};

test("the first page is open by default, and its children are collapsed", async () => {
  const markup = await shown("");
  expect(treeOf(markup)).toEqual(["Handbook (open)"]);
  for (const text of ["Owner", "Petra", "A block of another service stood here.", "Agreed"])
    expect(markup).toContain(text);
});

test("the path to a nested page is expanded", async () => {
  expect(treeOf(await shown("part=night"))).toEqual(["Handbook", "Night shift (open)", "Belts"]);
});

test("a table among the pages opens beside the tree, and so does its row", async () => {
  const table = await shown("table=belts");
  expect(table).toContain("Belt 2");
  expect(treeOf(table)).toEqual(["Handbook", "Night shift", "Belts (open)"]);
  expect(table).toContain("table=belts&amp;part=r1");
  expect(await shown("table=belts&part=r1")).toContain("About Belt 2");
});

test("a search finds pages by title at any depth", async () => {
  const markup = await shown("q=night");
  expect(markup).toContain(">Night shift</a>");
  expect(markup).not.toContain(">Handbook</a>");
  expect(await shown("q=nothing")).toContain("No pages were found.");
});
