import { expect, test } from "vitest";
import { judgeServices } from "./service-settings.ts";

const verdictOn = (what: string, vars: Record<string, string>) =>
  judgeServices(vars).find((verdict) => verdict.what === what);

test("services that the file does not configure are simulated", () => {
  expect(new Set(judgeServices({ MASTER_KEYS: "1:a", MAIL_TOKEN: "b" }).map(({ state }) => state))).toEqual(
    new Set(["simulated"]),
  );
});

test("a configured service must be complete, and missing settings are listed", () => {
  expect(verdictOn("GitHub", { GITHUB_WEB_URL: "https://github.com", GITHUB_CLIENT_ID: "" })).toEqual({
    what: "GitHub",
    state: "lacking",
    lacks: "GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET",
  });
  const client = { GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" };
  expect(verdictOn("GitHub", client)?.state).toBe("real");
});

test("one of two ways to configure a service suffices", () => {
  expect(verdictOn("Trello", { TRELLO_API_KEY: "key" })?.state).toBe("real");
  expect(verdictOn("Trello", { TRELLO_CLIENT_ID: "id" })).toMatchObject({
    lacks: "TRELLO_CLIENT_SECRET, or TRELLO_API_KEY",
  });
});

test("Google Drive and Google sign-in are separate services", () => {
  const vars = { GOOGLE_DRIVE_CLIENT_ID: "id", GOOGLE_DRIVE_CLIENT_SECRET: "secret" };
  expect(verdictOn("Google Drive", vars)?.state).toBe("real");
  expect(verdictOn("Sign-in through Google", vars)?.state).toBe("simulated");
});
