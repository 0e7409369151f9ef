import { expect, test } from "vitest";
import { ApiError } from "#app/api/call-api.ts";
import { failureText } from "./failure-text.ts";
import { domainSchema } from "./form.schema.ts";
import { troubleOf } from "./sign-in-calls.ts";
import { isWhole } from "./two-factor-dialog.tsx";
import { federationPath, lastUsedWay } from "./ways-in.ts";

const refusal = (status: number, code: string, message: string, details: unknown = null) =>
  troubleOf(new ApiError(message, { status, code, details }), "a@b.co");

test("wrong credentials are refused; an unconfirmed e-mail is recognised by code or message", () => {
  const text = "The email or password is incorrect. Please try again";
  expect(refusal(401, "err.credentials.wrong", text)).toEqual({ kind: "refused", text });
  const warning = { kind: "unconfirmed", email: "a@b.co" };
  expect(refusal(403, "err.credentials.unconfirmed", "Whatever.")).toEqual(warning);
  expect(refusal(400, "err.unknown", "User is not confirmed.")).toEqual(warning);
});

test("too many attempts show when the limit ends", () => {
  const opensAt = new Date(2026, 10, 21, 14, 35).getTime();
  expect(refusal(429, "err.credentials.limit", "Too many.", { opensAt })).toEqual({
    kind: "later",
    text: "Too many attempts to sign in. You can try again at 14:35",
  });
  expect(refusal(429, "err.attempts.limit", "Too many.")).toEqual({ kind: "later", text: "Too many" });
});

test("a failure on our side is not shown as a refusal", () => {
  expect(refusal(0, "err.network", "Not reached.")).toEqual({ kind: "later", text: "Not reached" });
  expect(refusal(500, "err.internal", "Broken.").kind).toBe("later");
  expect(troubleOf(new Error("x"), "a@b.co").kind).toBe("later");
});

test("[A-335] a code is sent only with exactly six digits", () => {
  expect(["12345", "1234567", "12345a", "", "12 456"].filter((code) => isWhole("digits", code))).toEqual([]);
  expect(isWhole("digits", "012345")).toBe(true);
  expect(isWhole("recovery", "abcde-12345")).toBe(true);
  expect(isWhole("recovery", " ")).toBe(false);
});

test("an error in the URL becomes its sentence, an unknown one that of a failed federated sign-in", () => {
  expect(failureText("err.federation.domain")).toBe("Invalid Okta domain");
  const unknown = failureText("err.federation.failed");
  for (const code of ["", "toString", "<b>", "__proto__"]) expect(failureText(code)).toBe(unknown);
});

test("[A-337] a company domain has at most 25 characters", () => {
  expect(domainSchema.safeParse("a".repeat(26)).error?.issues[0]?.message).toBe("max_length25");
  expect(domainSchema.parse(` ${"A".repeat(25)} `)).toBe("a".repeat(25));
  expect(domainSchema.safeParse(" ").success).toBe(false);
});

test("a federated sign-in has provider, domain and next page, each escaped", () => {
  expect(federationPath({ provider: "google", next: null })).toBe(
    "/identity/federation/start?provider=google",
  );
  expect(federationPath({ provider: "enterprise", domain: "a&b", next: "/x?y=1" })).toBe(
    "/identity/federation/start?provider=enterprise&domain=a%26b&next=%2Fx%3Fy%3D1",
  );
});

test("the last used method is read from its own cookie, and only a known one counts", () => {
  expect(lastUsedWay("theme=dark; way=google")).toBe("google");
  expect(lastUsedWay("way=okta")).toBe("okta");
  expect(lastUsedWay("away=google; way=other")).toBeNull();
  expect(lastUsedWay(null)).toBeNull();
});
