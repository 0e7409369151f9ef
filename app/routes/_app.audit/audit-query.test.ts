import { expect, test } from "vitest";
import { auditSearch, exportPath, isNarrowed, parseAuditQuery, spanStart } from "./audit-query.ts";

const parse = (text: string) => parseAuditQuery(new URLSearchParams(text));

test("an address without filters is the whole trail from its newest page", () => {
  const query = parse("");
  expect(isNarrowed(query)).toBe(false);
  expect(auditSearch(query)).toEqual({});
  expect(exportPath(query, 0)).toBe("/audit/export.csv");
});

test("the address of a query gives the same query", () => {
  const query = parse("page=3&person=usr_1&platform=github&group=sign-ins&span=7d&q=ann");
  expect(isNarrowed(query)).toBe(true);
  expect(parse(new URLSearchParams(auditSearch(query)).toString())).toEqual(query);
});

test("only the newest page is followed, and following narrows nothing", () => {
  const query = parse("follow=1");
  expect(query.isFollowed).toBe(true);
  expect(isNarrowed(query)).toBe(false);
  expect(auditSearch(query)).toEqual({ follow: "1" });
  expect(exportPath(query, 0)).toBe("/audit/export.csv");
  expect(parse("follow=1&page=2").isFollowed).toBe(false);
  expect(auditSearch({ ...query, page: 2 })).toEqual({ page: "2" });
});

test("what the address does not understand counts as absent", () => {
  const query = parse("page=-1&group=constructor&span=toString");
  expect(auditSearch(query)).toEqual({});
});

test("the file has the entries of the filters, on all pages", () => {
  const now = Date.UTC(2026, 10, 20);
  const query = parse("page=2&group=failed&span=1d&q=a%26b");
  expect(exportPath(query, now)).toBe(
    `/audit/export.csv?group=failed&q=a%26b&from=${Date.UTC(2026, 10, 19)}`,
  );
  expect(spanStart("", now)).toBeUndefined();
});
