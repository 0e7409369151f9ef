import { expect, test } from "vitest";
import { repositorySchema, visibilityOf } from "./payloads.ts";

const PLAIN = {
  id: 7,
  node_id: "R_7",
  name: "depot",
  full_name: "meridian/depot",
  html_url: "https://x.test",
};

test.each([
  [{ private: true, visibility: "internal" }, "internal"],
  [{ private: false, visibility: "public" }, "public"],
  [{ private: false }, "public"],
  [{ private: true }, "private"],
  [{ private: false, visibility: "partners" }, "private"],
])("a repository that says %j counts as %s", (said, visibility) => {
  expect(visibilityOf(repositorySchema.parse({ ...PLAIN, ...said }))).toBe(visibility);
});
