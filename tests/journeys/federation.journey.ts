import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { OIDC_URL } from "./stack.ts";

/** Chooses another account on the provider's page and enters it. */
async function signInAs(
  page: Page,
  provider: "google" | "enterprise" | "okta",
  email: string,
): Promise<void> {
  await page.waitForURL(`${OIDC_URL}/${provider}/sign-in/**`);
  await page.getByRole("radio", { name: "Another account" }).check();
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("textbox", { name: "Name" }).fill("Ann Lee");
  await page.getByRole("button", { name: "Continue" }).click();
}

const freshEmail = (domain: string) => `p${randomUUID().slice(0, 8)}@${domain}`;

async function expectSignedIn(page: Page, email: string): Promise<void> {
  await expect(page.getByRole("link", { name: "Profile of Ann Lee" })).toBeVisible();
  const answer = await page.request.get("/api/user/get-user-start-info");
  expect(await answer.json()).toMatchObject({ status: "success", result: { email, name: "Ann" } });
}

test("[A-123] the social button leads to Google with a fresh state, and back signed in", async ({ page }) => {
  const email = freshEmail("gmail.com");
  await page.goto("/auth/login");
  const asked = page.waitForRequest((request) => request.url().startsWith(`${OIDC_URL}/google/auth?`));
  await page.getByRole("link", { name: "Continue with Google" }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(query.get("state")).toMatch(/^[\w-]{43}$/);
  expect(query.get("code_challenge_method")).toBe("S256");
  await signInAs(page, "google", email);
  await expectSignedIn(page, email);
});

test("[A-337] [A-338] the company domain has at most 25 characters, and only one is accepted", async ({
  page,
}) => {
  await page.goto("/auth/login");
  await page.getByRole("button", { name: "Single sign-on" }).click();
  const domain = page.getByLabel("Company domain");
  const go = page.getByRole("button", { name: "Continue", exact: true });
  await domain.fill(`${"a".repeat(18)}.example`);
  await go.click();
  await expect(page.getByText("max_length25")).toBeVisible();
  await domain.fill(`${"a".repeat(17)}.example`);
  await go.click();
  await expect(page.getByText("max_length25")).toBeHidden();
  await expect(page.getByText("Invalid Okta domain")).toBeVisible();
  await domain.fill("elsewhere.example");
  await go.click();
  await expect(page.getByText("Invalid Okta domain")).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/auth/login");
  await page.getByLabel("Company domain").fill("Meridian.example");
  await go.click();
  const email = freshEmail("meridian.example");
  await signInAs(page, "enterprise", email);
  await expectSignedIn(page, email);
});

test("[A-468] the query okta selects the other company's sign-in", async ({ page }) => {
  await page.goto("/auth/login?okta=northwind");
  await expect(page.getByRole("button", { name: "Single sign-on" })).toHaveCount(0);
  await page.getByRole("link", { name: "Continue with Okta" }).click();
  const email = freshEmail("northwind.example");
  await signInAs(page, "okta", email);
  await expectSignedIn(page, email);
});

test("cancelling at the provider, and an unverified e-mail address, show a message on the sign-in page", async ({
  page,
}) => {
  await page.goto("/auth/login");
  await page.getByRole("link", { name: "Continue with Google" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(
    page.getByText("Signing in through the other service did not work. Please start again"),
  ).toBeVisible();
  await page.getByRole("link", { name: "Continue with Google" }).click();
  await page.getByRole("radio", { name: /Mara Unconfirmed/ }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("The other service does not confirm that this email is yours")).toBeVisible();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("holdfast.session_token");
});
