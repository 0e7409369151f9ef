import { expect, test } from "vitest";
import { DEFAULT_AUTH_METHOD } from "#connectors/contract/descriptor.ts";
import { describeWebFlow } from "#tests/conformance/describe-web-flow.ts";
import { authoriser, configSchema } from "./authorize.ts";
import { openGitlabWorld } from "./test-world.ts";

const redirectUri = "http://localhost:8787/connect/gitlab/callback";
const flow = describeWebFlow({
  authoriser,
  open: openGitlabWorld,
  redirectUri,
  secretName: "GITLAB_CLIENT_SECRET",
  spentCode: "invalid_grant",
});
const request = {
  authMethod: DEFAULT_AUTH_METHOD,
  state: "s",
  codeChallenge: flow.codeChallenge,
  redirectUri,
};

test("the web flow returns tokens valid for two hours and the account", async () => {
  const grant = await flow.grant();
  expect(grant.account).toMatchObject({ name: "nora-lindqvist", type: "User" });
  expect(grant.details).toEqual({ fullName: "Nora Lindqvist" });
  const lasts = (grant.accessTokenExpiresAt ?? 0) - Date.now();
  expect(lasts).toBeGreaterThan(7_100_000);
  expect(lasts).toBeLessThanOrEqual(7_200_000);
  expect(JSON.stringify(grant.details)).not.toContain(grant.accessToken);
});

test("the consent page requests the configured scopes", () => {
  const scopeOf = (scopes?: string) => {
    const config = configSchema.parse({ ...flow.config(), ...(scopes ? { GITLAB_SCOPES: scopes } : {}) });
    return new URL(authoriser.consentUrl(config, request)).searchParams.get("scope");
  };
  expect(scopeOf()).toBe("api");
  expect(scopeOf("read_api read_repository")).toBe("read_api read_repository");
});

test("a self-managed GitLab is used at its own URL, with any trailing slashes", () => {
  const config = configSchema.parse({ GITLAB_URL: "https://code.example.test/gitlab/" });
  const url = authoriser.consentUrl(config, request);
  expect(url).toContain("https://code.example.test/gitlab/oauth/authorize?");
});
