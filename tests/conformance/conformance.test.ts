import { expect, test } from "vitest";
import { checkRequest } from "./check-request.ts";
import { contractsAreAbsent } from "./contracts.ts";
import { expectConforms } from "./expect-conforms.ts";
import { asResponse, recordedExchanges } from "./recorded.ts";

const isAbsent = contractsAreAbsent();

test.skipIf(isAbsent)(
  "a body without a required field violates the contract (skipped: contracts absent)",
  () => {
    expect(() => expectConforms("github", "GET", "/repos/o/r/branches", 200, [{ name: "main" }])).toThrow(
      /must have required property 'commit'/,
    );
    const branch = { name: "main", protected: false, commit: { sha: "0", url: "https://x.example/c" } };
    expectConforms("github", "GET", "/repositories/12/branches?page=2", 200, [branch]);
  },
);

test.skipIf(isAbsent)("an unknown member violates the contract, at any depth and in every branch", () => {
  const commit = { sha: "0", url: "https://x.example/c" };
  const branches = (more: object, inner: object = {}) => [
    { name: "main", protected: false, commit: { ...commit, ...inner }, ...more },
  ];
  const check = (body: unknown) => expectConforms("github", "GET", "/repos/o/r/branches", 200, body);
  check(branches({}));
  expect(() => check(branches({ colour: "blue" }))).toThrow("/0/colour is not declared");
  expect(() => check(branches({}, { colour: "blue" }))).toThrow("/0/commit/colour is not declared");
});

test.skipIf(isAbsent)("an undeclared operation or status violates the contract", () => {
  expect(() => expectConforms("github", "GET", "/no/such/thing", 200, {})).toThrow(/no such operation/);
  expect(() => expectConforms("github", "GET", "/user", 299, {})).toThrow(/not declared/);
});

test.skipIf(isAbsent)("an undeclared error status passes only with an error body", () => {
  const body = { message: "Repository access blocked" };
  expectConforms("github", "GET", "/repos/o/r", 451, body);
  expect(() => expectConforms("github", "GET", "/repos/o/r", 451, "<html>")).toThrow(/without a message/);
});

test.skipIf(isAbsent)("null passes only where the contract allows it", () => {
  const branches = (protection_url: unknown) => [
    { name: "main", protected: false, commit: { sha: "0", url: "https://x.example/c" }, protection_url },
  ];
  expect(() => expectConforms("github", "GET", "/repos/o/r/branches", 200, branches(null))).toThrow(/string/);
});

test.skipIf(isAbsent)(
  "requests with undeclared parameters, wrong types or unknown fields are reported",
  () => {
    expect(checkRequest("github", "GET", "/user/repos?per_page=100&sort=pushed", undefined)).toBeNull();
    expect(checkRequest("github", "GET", "/user/repos?pagesize=100", undefined)).toMatch(/pagesize/);
    expect(checkRequest("github", "POST", "/user/repos", { name: "x", private: true })).toBeNull();
    expect(checkRequest("github", "POST", "/user/repos", { name: "x", private: "yes" })).toMatch(/private/);
    expect(checkRequest("github", "POST", "/user/repos", { name: "x", secret: true })).toMatch(/secret/);
  },
);

test.skipIf(isAbsent)("recorded responses have their time templates filled in", async () => {
  const now = Date.UTC(2026, 10, 21, 12, 0, 0);
  const limited = recordedExchanges("github", { status: [403, 429] }, now);
  expect(limited.length).toBeGreaterThanOrEqual(5);
  expect(JSON.stringify(recordedExchanges("github", {}, now))).not.toContain("{{");
  const dated = limited.map(asResponse).find(({ headers }) => headers.get("retry-after")?.endsWith("GMT"));
  expect(Date.parse(dated?.headers.get("retry-after") ?? "")).toBe(now + 8_000);
});

test.skipIf(isAbsent)("most recorded responses match the current contract", () => {
  const judged = recordedExchanges("github", {
    method: "GET",
    status: 200,
    url: /^\/(rate_limit|user\/orgs|repos\/[^/]+\/[^/]+\/(branches|tags)(\?|$))/,
  });
  const fitting = judged.filter(({ request, response }) => {
    try {
      expectConforms("github", "GET", request.url, response.status, response.body);
      return true;
    } catch {
      return false;
    }
  });
  expect(judged.length).toBeGreaterThan(3);
  expect(fitting.length / judged.length).toBeGreaterThan(0.7);
});
