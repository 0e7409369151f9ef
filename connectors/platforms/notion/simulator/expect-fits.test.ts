import { expect, test } from "vitest";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { expectFits, expectRequestFits, misfitsOf, requestMisfitsOf } from "./expect-fits.ts";

type Recorded = {
  cassette: string;
  request: { method: string; url: string; body: unknown };
  response: { status: number; body: unknown };
};

const recorded = () => readContract("notion/recorded.json") as Recorded[];

/** Recorded traffic that does not fit the contract, how often it is there, and why. */
const KNOWN_MISFITS: Record<string, { times: number; reason: string }> = {
  "GET /v1/400 → 400: / is not of type object": { times: 2, reason: "another host, which answers with text" },
  "asked GET /v1/400: there is no such operation": { times: 2, reason: "another host" },
  "asked GET /v1/invalid: there is no such operation": { times: 7, reason: "asked to see the error" },
  "asked POST /v1/pages: /properties/title is not of type object": {
    times: 51,
    reason: "the API takes the texts of a title without an object around them; the types have no such form",
  },
};

test.skipIf(contractsAreAbsent())("every recorded request and answer fits the contract", () => {
  const found: Record<string, number> = {};
  for (const { request, response } of recorded()) {
    const misfits = [
      ...misfitsOf({ ...request, ...response }),
      ...requestMisfitsOf(request).map((text) => `asked ${text}`),
    ];
    for (const text of misfits) found[text] = (found[text] ?? 0) + 1;
  }
  expect(recorded()).toHaveLength(334);
  const known = Object.entries(KNOWN_MISFITS).map(([text, { times }]) => [text, times]);
  expect(found).toEqual(Object.fromEntries(known));
});

const page = {
  ...{ object: "page", id: "11111111-2222-4333-8444-555555555555", url: "https://www.notion.so/1" },
  ...{ public_url: null, icon: null, cover: null, in_trash: false, archived: false },
  ...{ is_archived: false, is_locked: false, parent: { type: "workspace", workspace: true } },
  ...{ created_time: "2026-07-04T09:13:00.000Z", last_edited_time: "2026-07-04T09:13:00.000Z" },
  ...{ created_by: { object: "user", id: "u" }, last_edited_by: { object: "user", id: "u" } },
  properties: { Name: { id: "title", type: "title", title: [] } },
};

const misfitsOfPage = (body: unknown) =>
  misfitsOf({ method: "GET", url: `https://api.notion.com/v1/pages/${page.id}`, status: 200, body });

test.skipIf(contractsAreAbsent())("a whole object fits, and a cut one does not", () => {
  expectFits("GET", `/v1/pages/${page.id}`, 200, page);
  const { is_locked: _, ...cut } = page;
  expect(misfitsOfPage(cut)).toEqual(["GET /v1/pages/… → 200: /is_locked is missing"]);
  expect(misfitsOfPage({ object: "page", id: page.id }).length).toBeGreaterThan(10);
});

test.skipIf(contractsAreAbsent())("made-up members, values and operations are named", () => {
  expect(misfitsOfPage({ ...page, colour: "red" })).toEqual([
    "GET /v1/pages/… → 200: /colour is not declared",
  ]);
  const properties = { Age: { id: "a", type: "number", number: "4" } };
  expect(misfitsOfPage({ ...page, properties })).toEqual([
    "GET /v1/pages/… → 200: /properties/Age/number is not of type number or null",
  ]);
  expect(misfitsOf({ method: "GET", url: "/v1/folders", status: 200, body: {} })).toEqual([
    "GET /v1/folders: there is no such operation",
  ]);
  const error = { object: "error", status: 418, code: "teapot", message: "No" };
  expect(misfitsOf({ method: "GET", url: "/v1/users", status: 418, body: error })).toEqual([
    'GET /v1/users → 418: /code has the undeclared value "teapot"',
  ]);
});

test.skipIf(contractsAreAbsent())("a request is held against the bodies that the contract describes", () => {
  expectRequestFits("POST", "/v1/pages", {
    parent: { page_id: page.id },
    properties: { title: { title: [] } },
  });
  expectRequestFits("PATCH", `/v1/blocks/${page.id}`, { anything: "undescribed" });
  expect(requestMisfitsOf({ method: "POST", url: "/v1/pages", body: { parent: { page: "1" } } })).toEqual([
    "POST /v1/pages: /parent/page_id is missing",
    "POST /v1/pages: /parent/page is not declared",
  ]);
});
