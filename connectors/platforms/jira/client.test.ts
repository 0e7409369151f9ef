import { expect, test } from "vitest";
import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { APP_QUOTA, projectPage, readJiraProblem } from "./client.ts";
import { marksOf } from "./marks.ts";
import { rowFacts } from "./row-facts.ts";

const NOW = Date.parse("2026-11-26T10:20:00.000Z");
const HOUR_END = Date.parse("2026-11-26T11:00:00.000Z");

function limited(reason: string, headers: Record<string, string> = {}) {
  const response = { status: 429, headers: new Headers({ "ratelimit-reason": reason, ...headers }) };
  const problem = readJiraProblem(response, "", { about: "the issues", quota: "search" }, NOW)!;
  return { retryAt: problem.error.retryAt, limits: problem.limits, kind: problem.error.kind };
}

test("a spent pool of all customers stops their calls until the hour ends", () => {
  expect(limited("jira-quota-global-based")).toEqual({
    kind: "rate-limited",
    retryAt: HOUR_END,
    limits: { resource: APP_QUOTA.resource, remaining: 0, resetAt: HOUR_END, retryAt: null },
  });
});

test("a spent pool of a site stops that site, until the time that Jira states", () => {
  const stated = { "x-ratelimit-reset": "2026-11-26T10:45:00Z", "retry-after": "60" };
  const until = Date.parse("2026-11-26T10:45:00Z");
  expect(limited("jira-quota-tenant-based", stated)).toMatchObject({
    retryAt: until,
    limits: { remaining: null, retryAt: until },
  });
});

test("a burst stops its endpoint only, and a write limit stops nothing else", () => {
  const soon = NOW + 3 * SECOND_MS;
  expect(limited("jira-burst-based", { "retry-after": "3" })).toMatchObject({
    retryAt: soon,
    limits: { resource: "search", remaining: 0, resetAt: soon, retryAt: null },
  });
  expect(limited("jira-per-issue-on-write", { "retry-after": "3" })).toMatchObject({
    retryAt: soon,
    limits: { remaining: null, resetAt: null, retryAt: null },
  });
});

test("a time that Jira states far ahead or behind is not believed", () => {
  for (const reset of ["2027-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "soon", "9"]) {
    const { retryAt } = limited("jira-quota-global-based", { "x-ratelimit-reset": reset });
    expect(retryAt).toBeLessThanOrEqual(NOW + HOUR_MS);
    expect(retryAt).toBeGreaterThan(NOW);
  }
});

test("a missing scope is no lost access, and Jira's own words are told", () => {
  const read = (status: number, body: object) =>
    readJiraProblem({ status, headers: new Headers() }, JSON.stringify(body), { about: "a board" }, NOW)
      ?.error;
  expect(read(401, { code: 401, message: "Unauthorized; scope does not match" })?.kind).toBe("forbidden");
  expect(read(401, { code: 401, message: "Unauthorized" })).toBeUndefined();
  const refused = read(400, { errorMessages: ["No such field."], errors: { summary: "is empty" } });
  expect(refused?.kind).toBe("unsupported");
  expect(refused?.message).toContain("No such field. summary: is empty");
});

test("a project's page is at its own site, and nowhere else", () => {
  const config = {};
  const item = (siteUrl: unknown) => ({ fullName: "OPS · Day to day", details: { siteUrl } });
  expect(projectPage(config, item("https://meridian.atlassian.net"))).toBe(
    "https://meridian.atlassian.net/browse/OPS",
  );
  for (const strange of ["https://evil.example", 7, null, "javascript:alert(1)"]) {
    expect(projectPage(config, item(strange))).toBe("https://home.atlassian.com/browse/OPS");
  }
});

test("lists show the product of a project, and rows its type and the way of access", () => {
  const project = (projectTypeKey: string, isPrivate = false) => ({
    kind: "project",
    details: { projectTypeKey, isPrivate },
  });
  const types = ["service_desk", "software", "business", "product_discovery"];
  expect(types.map((type) => marksOf(project(type)).tags[0]?.label)).toEqual(["JSM", "JS/C", "JWM", "JPD"]);
  expect(marksOf(project("software", true))).toMatchObject({ isOpen: false, tags: [{}, { label: "PVT" }] });
  expect(rowFacts.item.of(project("business"))).toEqual({
    projectTypeKey: "business",
    projectType: "business",
  });
  const account = {
    id: "con_1",
    name: "Meridian",
    type: "site",
    details: null,
    grantName: "nora",
    isAppMissing: false,
  };
  expect(rowFacts.account.of({ ...account, authMethods: ["forge"] })).toEqual({ authMethod: "Forge" });
  expect(rowFacts.account.of({ ...account, authMethods: ["oauth", "forge"] })).toEqual({
    authMethod: "Connect",
  });
});
