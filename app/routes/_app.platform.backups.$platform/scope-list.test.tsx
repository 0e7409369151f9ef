import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "#app/api/call-api.ts";
import type { PageNode } from "#connectors/contract/pages-view.ts";
import { textOf } from "#tests/harness/render-screen.tsx";
import { ScopeList } from "./scope-list.tsx";
import { isWithoutScope, type ScopePage, scopeQuery } from "./scope-queries.ts";

const version = { platform: "notion", itemId: "itm_1", snapshotId: "snp_1" };
const node = (change: Partial<PageNode>): PageNode => ({
  ...{ id: "a", path: "pages/a.json", type: "page", title: "Handbook", icon: null, isArchived: false },
  childCount: 0,
  ...change,
});

test("an item shows its title and type, and unfolds only when something is or may be below it", () => {
  const html = render("", [
    node({ childCount: 12 }),
    node({ id: "b", type: "table", title: "Fleet", childCount: null }),
    node({ id: "c", title: "" }),
  ]);
  const lines = [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => textOf(line ?? ""));
  expect(lines).toEqual(["Handbook Page 12", "Fleet Database", "(no title) Page"]);
  expect(html.match(/<button[^>]*aria-expanded="false"/g)).toHaveLength(2);
});

test("search results are a flat list", () => {
  const html = render("fleet", [node({ id: "b", type: "table", title: "Fleet", childCount: null })]);
  expect(textOf(html)).toContain("Fleet Database");
  expect(html).not.toMatch(/<button|lucide-chevron/);
});

test("what steers the direction of text in a title is made visible", () => {
  expect(render("", [node({ title: "in\u202evoice" })])).toContain("in⟨202E⟩voice");
});

test("a search that finds nothing says so, and a version without a list says that", () => {
  expect(textOf(render("tariff", []))).toBe("No Search Results for “tariff” among 398 titles.");
  expect(textOf(render("", []))).toContain("The list of backup scope not available.");
  const failure = (code: string) => new ApiError("x", { code, status: 404 });
  expect([failure("err.not.found"), failure("err.internal"), null].map(isWithoutScope)).toEqual([
    true,
    false,
    false,
  ]);
});

test("a search that stopped on its way goes on, also without a result so far", () => {
  const text = textOf(render("tariff", [], { next: "z", isPaused: true }));
  expect(text).toBe("Not found so far. Search on");
  expect(textOf(render("", [node({})], { next: "a" }))).toContain("Show more");
});

function render(search: string, rows: PageNode[], change: Partial<ScopePage> = {}): string {
  const client = new QueryClient();
  const page: ScopePage = { rows, next: null, isPaused: false, pageCount: 394, tableCount: 4, ...change };
  const { queryKey } = scopeQuery({ version, parent: null, search, type: null });
  client.setQueryData(queryKey, { pages: [page], pageParams: [null] });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ScopeList version={version} parent={null} search={search} type={null} />
    </QueryClientProvider>,
  );
}
