import { expect, test } from "vitest";
import { AppError } from "#core/kernel/app-error.ts";
import { assertDomain, type FederationSettings, findSetup, listSignInProviders } from "./providers.ts";

const NONE: FederationSettings = {
  GOOGLE_ISSUER: "https://accounts.google.com",
  GOOGLE_CLIENT_ID: "",
  GOOGLE_CLIENT_SECRET: "",
  ENTERPRISE_CLIENT_ID: "",
  ENTERPRISE_CLIENT_SECRET: "",
  ENTERPRISE_DOMAIN: "",
  OKTA_CLIENT_ID: "",
  OKTA_CLIENT_SECRET: "",
  OKTA_DOMAIN: "",
};
const GOOGLE = { GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "s" };
const ENTERPRISE = {
  ENTERPRISE_ISSUER: "https://sso.acme.example",
  ENTERPRISE_CLIENT_ID: "e",
  ENTERPRISE_CLIENT_SECRET: "s",
  ENTERPRISE_DOMAIN: "Acme.example",
};
const OKTA = { OKTA_ISSUER: "https://acme.okta.example", OKTA_CLIENT_ID: "o", OKTA_CLIENT_SECRET: "s" };

test("a provider is offered only with all its settings", () => {
  expect(listSignInProviders(NONE)).toEqual([]);
  expect(listSignInProviders({ ...NONE, ...GOOGLE })).toEqual(["google"]);
  expect(listSignInProviders({ ...NONE, ...GOOGLE, ...ENTERPRISE, ...OKTA })).toEqual([
    "google",
    "enterprise",
    "okta",
  ]);
  for (const name of Object.keys(ENTERPRISE)) {
    expect(listSignInProviders({ ...NONE, ...ENTERPRISE, [name]: "" })).toEqual([]);
  }
  expect(listSignInProviders({ ...NONE, ...OKTA })).toEqual([]);
  expect(listSignInProviders({ ...NONE, ...OKTA, OKTA_DOMAIN: "north.example" })).toEqual(["okta"]);
});

test("the alternative configuration uses its own domain, or the company's", () => {
  const settings = { ...NONE, ...ENTERPRISE, ...OKTA };
  expect(findSetup(settings, "okta")?.domain).toBe("acme.example");
  expect(findSetup({ ...settings, OKTA_DOMAIN: "North.example" }, "okta")?.domain).toBe("north.example");
  for (const unknown of ["", "github", "__proto__", "Google"])
    expect(findSetup(settings, unknown)).toBeNull();
});

test("exactly one domain is accepted, in any case, with at most 25 characters; errors use the spec's sentences", () => {
  const settings = { ...NONE, ...GOOGLE, ...ENTERPRISE, ...OKTA };
  const judge = (provider: string, typed: string | null) => {
    try {
      assertDomain(findSetup(settings, provider)!, typed);
      return "accepted";
    } catch (error) {
      return error instanceof AppError ? error.message : String(error);
    }
  };
  expect(judge("enterprise", " ACME.example ")).toBe("accepted");
  for (const wrong of [null, "", "acme.example.evil", "evil.acme.example", "acme", "@acme.example"]) {
    expect([wrong, judge("enterprise", wrong)]).toEqual([wrong, "Invalid Okta domain"]);
  }
  const long = { ...settings, ENTERPRISE_DOMAIN: `${"a".repeat(18)}.example` };
  expect(long.ENTERPRISE_DOMAIN).toHaveLength(26);
  expect(() => assertDomain(findSetup(long, "enterprise")!, long.ENTERPRISE_DOMAIN)).toThrow(
    "Invalid Okta domain",
  );
  expect(judge("okta", null)).toBe("accepted");
  expect(judge("okta", "elsewhere.example")).toBe("Invalid Okta domain");
  expect(judge("google", "anything.example")).toBe("accepted");
});
