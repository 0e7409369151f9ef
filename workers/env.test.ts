import { expect, test } from "vitest";
import { settingsSchema } from "./env.ts";

const KEY_RING = `1:${"A".repeat(43)}`;
const NEEDED = {
  PUBLIC_URL: "https://app.example.test",
  MASTER_KEYS: KEY_RING,
  LINK_KEYS: KEY_RING,
  AUTH_SECRET: "x".repeat(32),
};
const judge = (vars: Record<string, string>) => settingsSchema.safeParse({ ...NEEDED, ...vars });

test("an issuer is kept unchanged and must be https or local", () => {
  const good = [
    "https://sso.acme.example",
    "https://sso.acme.example/",
    "https://sso.acme.example/oauth2/default",
    "http://127.0.0.1:8790/okta",
    "http://localhost:8790/okta",
    "http://[::1]:8790/okta",
  ];
  for (const issuer of good) expect(judge({ OKTA_ISSUER: issuer }).data?.OKTA_ISSUER).toBe(issuer);
  const bad = [
    "http://sso.acme.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example/",
    "ftp://sso.acme.example",
    "https://sso.acme.example?tenant=1",
    "https://sso.acme.example/#1",
    "sso.acme.example",
  ];
  for (const issuer of bad) expect([issuer, judge({ OKTA_ISSUER: issuer }).success]).toEqual([issuer, false]);
});

test("by default Google is the real Google, and no company sign-on is configured", () => {
  const silences: Record<string, string>[] = [
    {},
    { GOOGLE_ISSUER: "", ENTERPRISE_ISSUER: "", OKTA_ISSUER: "" },
  ];
  for (const vars of silences) {
    expect(judge(vars).data).toMatchObject({
      GOOGLE_ISSUER: "https://accounts.google.com",
      GOOGLE_CLIENT_ID: "",
      ENTERPRISE_DOMAIN: "",
      OKTA_DOMAIN: "",
    });
    expect(judge(vars).data?.OKTA_ISSUER).toBeUndefined();
  }
});

test("a company domain that cannot be typed is refused at start-up", () => {
  expect(judge({ ENTERPRISE_DOMAIN: `${"a".repeat(17)}.example` }).success).toBe(true);
  expect(judge({ ENTERPRISE_DOMAIN: `${"a".repeat(18)}.example` }).success).toBe(false);
});

test("keys are versions with 32 bytes each; anything else is refused at start-up", () => {
  for (const ring of [KEY_RING, `${KEY_RING},2:${"B".repeat(43)}`])
    expect([ring, judge({ MASTER_KEYS: ring }).success]).toEqual([ring, true]);
  const malformed = [
    "A".repeat(43),
    `0:${"A".repeat(43)}`,
    "1:AAECAwQFBgcICQ",
    `${KEY_RING},${KEY_RING}`,
    "",
  ];
  for (const ring of malformed) {
    for (const name of ["MASTER_KEYS", "LINK_KEYS"])
      expect([name, ring, judge({ [name]: ring }).success]).toEqual([name, ring, false]);
  }
});
