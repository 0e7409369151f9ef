import { expect, test } from "vitest";
import { failureRule } from "./failure-rule.ts";

const unauthorized = { title: "Unauthorized Access", text: "Authorization Required" };
const server = {
  title: "Internal server error",
  text: "Server response with error, please try again later",
};

test.each([
  [401, "err.session.missing", { kind: "leave", notice: unauthorized }],
  [423, "err.session.missing", { kind: "leave", notice: null }],
  [0, "err.network", { kind: "popup", notice: server }],
  [500, "err.internal", { kind: "popup", notice: server }],
  [501, "err.internal", { kind: "popup", notice: server }],
  [502, "err.internal", { kind: "popup", notice: server }],
  [503, "err.internal", { kind: "popup", notice: server }],
  [504, "err.internal", { kind: "popup", notice: server }],
  [599, "err.internal", { kind: "popup", notice: server }],
  [503, "err.platform.limited", { kind: "none" }],
  [503, "err.platform.unavailable", { kind: "none" }],
  [403, "err.role.forbidden", { kind: "none" }],
  [429, "err.user.backup.limit", { kind: "none" }],
  [200, "err.internal", { kind: "none" }],
])("[A-420] [A-421] [A-422] [A-424] [A-425] HTTP %i with %s", (status, code, rule) => {
  expect(failureRule({ status, code, message: "Something else" })).toEqual(rule);
});

test("maintenance and a missing script have their own rules", () => {
  expect(failureRule({ status: 0, code: "err.script.missing", message: "" })).toMatchObject({
    kind: "popup",
    notice: { title: "Part of this page is missing" },
  });
  expect(failureRule({ status: 503, code: "err.maintenance", message: "We'll be back" })).toMatchObject({
    kind: "popup",
    notice: { title: "We'll be back very soon" },
  });
});

test("[A-409] [A-413] a message that nobody is signed in ends the session, whatever its status", () => {
  for (const message of ["The incoming token has expired", "The user is not authenticated."]) {
    for (const status of [200, 400, 500]) {
      const rule = failureRule({ status, code: "err.internal", message });
      expect(rule).toEqual({ kind: "leave", notice: unauthorized });
    }
  }
});
