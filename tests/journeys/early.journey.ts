import type { Page, Route } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { makeConfirmed, STRONG } from "./identity-steps.ts";
import { APP_URL } from "./stack.ts";

/** Any page of a signed-in person. */
const inside = (url: URL) => url.origin === APP_URL && !url.pathname.startsWith("/auth");

/** Opens a page and holds back its scripts. Returns a function that releases them. */
async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  const hold = (route: Route) => void held.push(route);
  await page.route("**/assets/*.js", hold);
  // Lets the browser itself open the page: the journeys' `page.goto` waits for scripts.
  await page.evaluate((to) => location.assign(to), APP_URL + path).catch(() => {});
  await page.waitForURL(`**${path}`, { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  return async () => {
    await page.unroute("**/assets/*.js", hold);
    // Scripts of a page that was left are gone.
    await Promise.all(held.map((route) => route.continue().catch(() => {})));
  };
}

/** Records the request bodies and the addresses of a page. */
function watch(page: Page): { sent: string[]; urls: string[] } {
  const seen = { sent: [] as string[], urls: [] as string[] };
  page.on("request", (request) => {
    seen.urls.push(request.url());
    if (request.method() !== "GET") seen.sent.push(new URL(request.url()).pathname);
  });
  return seen;
}

test("input before the scripts have loaded is handled once they have", async ({ page }) => {
  await page.goto("/terms");
  await test.step("a button that needs scripts", async () => {
    const letIn = await openWithoutScripts(page, "/auth/login");
    const sso = page.getByRole("button", { name: "Single sign-on" });
    await sso.click();
    await sso.click();
    await letIn();
    await expect(page.getByLabel("Company domain")).toBeVisible();
  });

  await test.step("a form that needs scripts", async () => {
    const { sent, urls } = watch(page);
    const letIn = await openWithoutScripts(page, "/auth/password-recovery");
    await page.getByLabel("Email").fill("nobody@journeys.example");
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByLabel("Email").press("Enter");
    await letIn();
    await expect(page.getByText("A verification code has been sent to your email.")).toBeVisible();
    expect(sent.filter((path) => path.startsWith("/identity/") || path.startsWith("/auth/"))).toEqual([
      "/identity/forgot-password",
    ]);
    expect(urls.filter((url) => url.includes("nobody"))).toEqual([]);
  });

  await test.step("fields controlled by React", async () => {
    const letIn = await openWithoutScripts(page, "/auth/sign-up");
    await page.getByLabel("First name").fill("Runa");
    await page.getByLabel("Last name").fill("Holm");
    await page.getByLabel("Email").fill("runa@journeys.example");
    await page.getByLabel("GitHub").check();
    await page.getByLabel("Password", { exact: true }).fill(STRONG);
    await letIn();
    await expect(page.getByRole("list", { name: "Password rules" }).getByText("not met")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Get started" })).not.toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await expect(page.getByLabel("First name")).toHaveValue("Runa");
    await expect(page.getByLabel("GitHub")).toBeChecked();
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue(STRONG);
  });
});

test("signing in before the scripts have loaded signs in once, and the password is in no URL", async ({
  page,
}) => {
  const email = await makeConfirmed(page);
  await page.goto("/terms");
  const { sent, urls } = watch(page);
  const letIn = await openWithoutScripts(page, "/auth/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(STRONG);
  await page.getByRole("button", { name: "Sign in", exact: true }).click({ noWaitAfter: true });
  await page.waitForURL(inside, { waitUntil: "commit" });
  await letIn();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(sent.filter((path) => path.startsWith("/auth/") || path === "/identity/sign-in")).toEqual([
    "/auth/login",
  ]);
  expect(urls.filter((url) => url.includes(encodeURIComponent(STRONG)))).toEqual([]);
});

test("a settings form keeps passwords typed before the scripts loaded, and out of every URL", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await page.goto("/terms");
  const { urls } = watch(page);
  const letIn = await openWithoutScripts(page, "/settings/security");
  const fields = ["Old password", "New password", "Confirm new password"];
  for (const label of fields) await page.getByLabel(label, { exact: true }).fill(`${STRONG} ${label}`);
  await page.getByLabel("Confirm new password", { exact: true }).press("Enter");
  await letIn();
  await expect(page.getByLabel("Confirm new password", { exact: true })).toHaveAccessibleDescription(/./);
  for (const label of fields) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(`${STRONG} ${label}`);
  }
  expect(urls.filter((url) => decodeURIComponent(url).includes(STRONG))).toEqual([]);
});

test("a press counts for its button even if a note moves the button before the release", async ({ page }) => {
  await page.goto("/auth/login");
  const email = page.getByLabel("Email");
  const submit = page.getByRole("button", { name: "Sign in", exact: true });
  await email.fill("nobody");
  const box = await submit.boundingBox();
  const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + 6 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  // Pressing leaves the field. Its error message moves the button down.
  await expect(email).toHaveAccessibleDescription("Invalid email");
  expect((await submit.boundingBox())?.y).toBeGreaterThan(at.y);
  await page.mouse.up();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription("required");

  await test.step("moving the pointer away cancels the press", async () => {
    await page.reload();
    await page.getByRole("button", { name: "Single sign-on" }).hover();
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await page.getByLabel("Remember me").check();
    await expect(page.getByLabel("Company domain")).toHaveCount(0);
  });
});
