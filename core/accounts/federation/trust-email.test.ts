import { expect, test } from "vitest";
import { claimsSchema } from "./claims.schema.ts";
import type { ProviderSetup } from "./providers.ts";
import { trustEmail } from "./trust-email.ts";

const client = { issuer: "https://id.example", clientId: "c", clientSecret: "s" };
const google: ProviderSetup = { ...client, provider: "google", domain: null };
const company: ProviderSetup = { ...client, provider: "enterprise", domain: "acme.example" };
const judge = (setup: ProviderSetup, claims: object) =>
  trustEmail(setup, claimsSchema.parse({ sub: "1", ...claims }));

test.each([
  ["a mailbox of Google's own", { email: "Ann@GMAIL.com", email_verified: true }, "authoritative"],
  [
    "a Workspace's mailbox",
    { email: "ann@acme.example", email_verified: true, hd: "Acme.example" },
    "authoritative",
  ],
  ["another Workspace", { email: "ann@acme.example", email_verified: true, hd: "evil.example" }, "verified"],
  ["a mailbox elsewhere", { email: "ann@acme.example", email_verified: true }, "verified"],
  ["truth as text", { email: "ann@acme.example", email_verified: "true" }, "verified"],
  ["an unverified mailbox of Google's own", { email: "ann@gmail.com", email_verified: false }, "none"],
  ["no word about it", { email: "ann@gmail.com" }, "none"],
  ["nonsense about it", { email: "ann@gmail.com", email_verified: "yes" }, "none"],
  ["two addresses in one", { email: "ann@evil.example,ann@gmail.com", email_verified: true }, "none"],
  ["no e-mail", { email_verified: true }, "none"],
])("Google and %s", (_what, claims, trust) => {
  expect(judge(google, claims)).toBe(trust);
});

test.each([
  ["its own domain", { email: "ann@acme.example", email_verified: true }, "authoritative"],
  ["its own domain without a word about it", { email: "ann@Acme.example" }, "authoritative"],
  ["its own domain, plainly unverified", { email: "ann@acme.example", email_verified: false }, "none"],
  ["its own domain, nonsense about it", { email: "ann@acme.example", email_verified: "maybe" }, "none"],
  ["another domain", { email: "ann@gmail.com", email_verified: true }, "none"],
  ["a domain below its own", { email: "ann@sub.acme.example", email_verified: true }, "none"],
  ["a domain that ends like its own", { email: "ann@notacme.example", email_verified: true }, "none"],
  ["a Workspace claim", { email: "ann@evil.example", email_verified: true, hd: "evil.example" }, "none"],
])("a company and %s", (_what, claims, trust) => {
  expect(judge(company, claims)).toBe(trust);
});
