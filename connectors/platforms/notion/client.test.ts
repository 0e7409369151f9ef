import { expect, test } from "vitest";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { capabilityOf, fileDownload, notionClient, paths, webPage } from "./client.ts";
import { pageSchema, resultsSchema } from "./payloads.ts";
import { readList } from "./read-list.ts";

const id = "393abc1e-edcd-80f3-813b-e205934558c6";
const config = { NOTION_API_URL: "https://api.notion.com" };

function sessionWith(answer: (url: string, init?: RequestInit) => Response) {
  return testSession({ config, token: "t", accountName: "a", fetch: async (url, init) => answer(url, init) });
}

function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ object: "error", status, code, message, request_id: "r" });
  return new Response(body, { status, headers: { "content-type": "application/json", ...headers } });
}

const read = { method: "GET", path: paths.page(id), about: "this page" } as const;

test("each refusal of Notion has its kind", async () => {
  for (const [status, code, kind] of [
    [400, "validation_error", "unsupported"],
    [401, "unauthorized", "unauthorized"],
    [403, "restricted_resource", "forbidden"],
    [404, "object_not_found", "gone"],
    [409, "conflict_error", "unavailable"],
    [500, "internal_server_error", "unavailable"],
    [503, "service_unavailable", "unavailable"],
    [529, "service_overload", "unavailable"],
  ] as const) {
    const session = sessionWith(() => refusal(status, code, "Notion's words."));
    const error = await failureOf(notionClient(session).request(read, pageSchema));
    expect([status, error.kind]).toEqual([status, kind]);
    if (status !== 401) expect(error.message).toContain("Notion's words.");
  }
});

test("a spent quota is reported with the time that Notion names", async () => {
  const session = sessionWith(() => refusal(429, "rate_limited", "Slow down.", { "retry-after": "7" }));
  const error = await failureOf(notionClient(session).request(read, pageSchema));
  expect(error.kind).toBe("rate-limited");
  expect(Math.round((error.retryAt! - Date.now()) / 1_000)).toBe(7);
  expect(session.reports.at(-1)?.retryAt).toBe(error.retryAt);
});

test("a missing capability is named as the owner knows it", async () => {
  const session = sessionWith(() => refusal(403, "restricted_resource", "Insufficient permissions."));
  const call = { method: "GET", path: paths.comments, about: "the comments of this page" } as const;
  const error = await failureOf(notionClient(session).request(call, pageSchema));
  expect(error.message).toContain("“Read comments”");
  for (const [method, path, capability] of [
    ["POST", paths.comments, "Insert comments"],
    ["GET", paths.users, "Read user information"],
    ["POST", paths.search, "Read content"],
    ["POST", paths.query(id), "Read content"],
    ["GET", paths.page(id), "Read content"],
    ["POST", paths.pages, "Insert content"],
    ["PATCH", paths.children(id), "Insert content"],
    ["PATCH", paths.page(id), "Update content"],
    ["DELETE", paths.block(id), "Update content"],
  ] as const)
    expect(capabilityOf({ method, path }), `${method} ${path}`).toBe(capability);
});

test("lists are read to their end, with the cursor where the method has it", async () => {
  const asked: string[] = [];
  const pages = [
    { results: [], has_more: true, next_cursor: "two" },
    { results: [], has_more: false, next_cursor: null },
  ];
  const session = sessionWith((url, init) => {
    asked.push(`${new URL(url).search} ${init?.body ?? ""}`);
    return Response.json(pages[asked.length - 1]);
  });
  const client = notionClient(session);
  const search = { method: "POST", path: paths.search, body: { query: "x" }, about: "pages" } as const;
  for await (const _ of readList(client, search, resultsSchema));
  expect(asked).toEqual([
    ' {"query":"x","page_size":100}',
    ' {"query":"x","page_size":100,"start_cursor":"two"}',
  ]);
});

test("a page of a list that is too large is read in smaller pages", async () => {
  const sizes: number[] = [];
  const large = "x".repeat(17 * 1024 * 1024);
  const session = sessionWith((url) => {
    const size = Number(new URL(url).searchParams.get("page_size"));
    sizes.push(size);
    const results = size > 25 ? [{ object: "page", id, large }] : [];
    return Response.json({ results, has_more: false, next_cursor: null });
  });
  const call = { ...read, path: paths.users };
  for await (const _ of readList(notionClient(session), call, resultsSchema));
  expect(sizes).toEqual([100, 25]);
});

test("a list that leads in a circle ends", async () => {
  const session = sessionWith(() => Response.json({ results: [], has_more: true, next_cursor: "again" }));
  const list = readList(notionClient(session), { ...read, path: paths.users }, resultsSchema);
  const run = async () => {
    for await (const _ of list);
  };
  expect((await failureOf(run())).kind).toBe("malformed");
});

test("files come over TLS only, from wherever Notion keeps them", () => {
  const { stranger } = fileDownload(config, { url: "https://x.example/a", about: "a file" });
  expect(stranger?.mayLead(new URL("https://prod-files-secure.s3.us-west-2.amazonaws.com/a"))).toBe(true);
  expect(stranger?.mayLead(new URL("http://prod-files-secure.s3.us-west-2.amazonaws.com/a"))).toBe(false);
  expect(stranger?.mayLead(new URL("http://api.notion.com/a"))).toBe(false);
});

test("ids of properties are encoded once, and pages have Notion's address", () => {
  expect(paths.pageProperty(id, "%3AUPp")).toBe(`/pages/${id}/properties/%3AUPp`);
  expect(paths.pageProperty(id, ":UPp")).toBe(`/pages/${id}/properties/%3AUPp`);
  expect(webPage({}, id)).toBe("https://app.notion.com/p/393abc1eedcd80f3813be205934558c6");
});
