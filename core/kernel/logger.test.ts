import { expect, test } from "vitest";
import { loggedPath } from "./logger.ts";

test.each([
  [
    "/api/gitlab/get-available-projects-for-gitlab-user",
    "/api/gitlab/get-available-projects-for-gitlab-user",
  ],
  ["/platform/backups/github/version.data", "/platform/backups/github/version.data"],
  ["/avatars/ava_01jd0c3zzzzzzzzzzzzzzzzzzz", "/avatars/ava_01jd0c3zzzzzzzzzzzzzzzzzzz"],
  ["/", "/"],
])("a path without a secret is logged unchanged: %s", (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});

const TOKEN = "eyJ2IjoxLCJrIjoxfQ.Zm9vYmFy_-0";

test.each([
  [`/download/${TOKEN}`, "/download/•"],
  [`/download/${TOKEN.replace(".", "%2E")}`, "/download/•"],
  [`/download/${TOKEN.split(".")[0]}`, "/download/•"],
  [`/Download/${TOKEN}`, "/•/•"],
  [`/clone/${TOKEN}/ledger/info/refs`, "/clone/•/ledger/info/refs"],
  [`/clone/${TOKEN}/objects/0f/1a2b`, "/clone/•/objects/•/•"],
  [`//x//${TOKEN}/`, "//x//•/"],
  [`/${"a".repeat(60)}`, "/•"],
])("a path with a secret is logged without it: %s", (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});
