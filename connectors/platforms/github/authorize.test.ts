import { expect, test } from "vitest";
import { describeWebFlow } from "#tests/conformance/describe-web-flow.ts";
import { authoriser, configSchema } from "./authorize.ts";
import { openGithubWorld } from "./test-world.ts";

const flow = describeWebFlow({
  authoriser,
  open: openGithubWorld,
  redirectUri: "http://localhost:8787/connect/github/callback",
  secretName: "GITHUB_CLIENT_SECRET",
  spentCode: "The code passed is incorrect or expired.",
});

test("the web flow returns tokens, the account and where the App is installed", async () => {
  const grant = await flow.grant();
  expect(grant.account).toMatchObject({ name: "nora-lindqvist", type: "User" });
  expect(grant.accessToken).toMatch(/^ghu_/);
  expect(grant.refreshToken).toMatch(/^ghr_/);
  expect(grant.accessTokenExpiresAt).toBeGreaterThan(Date.now());
  expect(grant.details).toMatchObject({ installUrl: expect.stringContaining("/apps/") });
  expect(JSON.stringify(grant.details)).not.toContain(grant.accessToken);
});

test("the configuration defaults to GitHub's URLs, without trailing slashes", () => {
  expect(configSchema.parse({ GITHUB_API_URL: "http://localhost:9/api/", OTHER: "x" })).toEqual({
    GITHUB_API_URL: "http://localhost:9/api",
    GITHUB_WEB_URL: "https://github.com",
    GITHUB_CLIENT_ID: "",
    GITHUB_CLIENT_SECRET: "",
    GITHUB_APP_SLUG: "holdfast-backup",
  });
});
