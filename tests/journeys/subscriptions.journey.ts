import type { Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import { buyGithub, CARDS, fillCard } from "./checkout-steps.ts";
import { expect, ONE_RETRY, test } from "./fixtures.ts";
import type { JourneyPerson } from "./person.ts";
import { STRIPE_URL } from "./stack.ts";

/** Keys of the simulated payment provider. The browser's own key is the one that may send card numbers. */
const SECRET_KEY = "sk_test_51SimulatedHoldfastSecretKey0000000000";
const PUBLISHABLE_KEY = "pk_test_51SimulatedHoldfastPublishableKey000";

const line = (page: Page) => page.getByRole("region", { name: "GitHub" });
const chip = (page: Page, word: string) => line(page).getByText(word, { exact: true });

test("an owner cancels a subscription, keeps it, and reads what was paid", async ({ page, person }) => {
  await buyGithub(page, person);
  await page.goto("/subscriptions");

  await test.step("[B-063] everything is cancelled at once, and taken back", async () => {
    await page.getByRole("button", { name: "Cancel all" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel all subscriptions?" });
    await expect(dialog.getByText("GitHub Essential stops")).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel all subscriptions" }).click();
    await expect(chip(page, "cancelling")).toBeVisible();
    const { github } = await person.call<Record<string, { isCancel: boolean }>>(
      "GET",
      "payments/get-platforms-trial-statuses",
    );
    expect(github?.isCancel).toBe(true);
    await line(page).getByRole("button", { name: "Keep it running" }).click();
    await expect(chip(page, "active")).toBeVisible();
  });

  await test.step("[B-068] [B-261] the billing portal opens in the same tab", async () => {
    const tabs = page.context().pages().length;
    await page.getByRole("button", { name: "Billing portal" }).click();
    await expect.poll(() => page.url()).toContain(STRIPE_URL);
    expect(page.context().pages()).toHaveLength(tabs);
  });

  await test.step("[B-070] the payment history shows the platform of the URL", async () => {
    await page.goto("/payment-history?platform=trello");
    await expect(page.getByLabel("Platform")).toHaveValue("trello");
    await expect(page.getByText("No payment of this selection.")).toBeVisible();
    await page.goto("/payment-history?platform=github");
    await expect(page.getByLabel("Platform")).toHaveValue("github");
    await expect(page.getByRole("cell", { name: "$14.28" }).first()).toBeVisible();
  });

  await test.step("[B-071] [B-072] [B-073] payments are paged by ten, or by as many as are chosen", async () => {
    await page.route("**/api/payments/stripe-get-user-payments", async (route) => {
      const answer = await route.fetch(ONE_RETRY);
      const json = (await answer.json()) as { result: object[] };
      await route.fulfill({ json: { ...json, result: Array.from({ length: 12 }, () => json.result[0]) } });
    });
    await page.goto("/payment");
    const rows = page.locator("tbody tr");
    await expect(rows).toHaveCount(10);
    await page.getByRole("button", { name: "Next" }).click();
    await expect(rows).toHaveCount(2);
    await expect(page.getByText("Showing 11 to 12 of 12")).toBeVisible();
    await page.getByLabel("Rows a page").selectOption("25");
    await expect(rows).toHaveCount(12);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

test("an owner reads the latest invoice, pays what is open, and ends a subscription", async ({
  page,
  person,
}) => {
  await buyGithub(page, person);
  await page.goto("/subscriptions");

  await test.step("the latest invoice is shown with its sum", async () => {
    await line(page).getByRole("button", { name: "Latest invoice" }).click();
    const dialog = page.getByRole("dialog", { name: "Latest invoice" });
    await expect(dialog.getByText("$14.28")).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.emulateMedia({ media: "print" });
    await expect(dialog.getByText("$14.28")).toBeVisible();
    // Printed are the lines alone: neither the page below nor what can be done.
    await expect(page.getByRole("heading", { level: 1, includeHidden: true })).toBeHidden();
    await expect(dialog.getByRole("button")).toHaveCount(0);
    await page.emulateMedia({ media: null });
    await page.keyboard.press("Escape");
  });

  await test.step("an open invoice is paid with a new card", async () => {
    await failChange(person, 50);
    await page.goto("/subscriptions");
    await expect(chip(page, "past due")).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
    await line(page).getByRole("button", { name: "Update card" }).click();
    await fillCard(page, CARDS.good);
    await page.getByRole("button", { name: "Save card" }).click();
    await expect(page.getByText("The card was changed and the open invoice is paid")).toBeVisible();
    await expect(chip(page, "active")).toBeVisible();
  });

  await test.step("a subscription that is not paid is ended at once", async () => {
    await failChange(person, 100);
    await page.goto("/subscriptions");
    await line(page).getByRole("button", { name: "End now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End now" }).click();
    // The trial, which still has days left, counts again: at once, or when the page has read it.
    await expect(chip(page, "inactive").or(chip(page, "trial period"))).toBeVisible();
    await page.reload();
    await expect(chip(page, "trial period")).toBeVisible();
  });
});

/**
 * Makes the owner's subscription past due: their card begins to fail, and support raises the quantity, which is charged at
 * once. Ends when the product knows it.
 */
async function failChange(person: JourneyPerson, quantity: number): Promise<void> {
  const details = { number: CARDS.chargeFails, exp_month: "12", exp_year: "2039" };
  const fields = Object.entries(details).map(([name, value]) => [`card[${name}]`, value]);
  const form = { type: "card", ...Object.fromEntries(fields) };
  const { id: card } = await stripe<{ id: string }>("payment_methods", form, PUBLISHABLE_KEY);
  await person.call("POST", "payments/stripe-attach-user-payment-method", { id: card });
  const statusOf = async () => {
    const { subscription } = await person.call<{ subscription: { id: string; status: string } }>(
      "POST",
      "payments/get-github-trial-status",
    );
    return subscription;
  };
  const { id } = await statusOf();
  const { items } = await stripe<{ items: { data: { id: string }[] } }>(`subscriptions/${id}`);
  await stripe(`subscriptions/${id}`, {
    "items[0][id]": items.data[0]!.id,
    "items[0][quantity]": String(quantity),
    proration_behavior: "always_invoice",
    payment_behavior: "allow_incomplete",
  });
  await expect.poll(async () => (await statusOf()).status).toBe("past_due");
}

/** A call of the payment provider's API, as from its dashboard. Without a form it is a GET. */
async function stripe<T>(path: string, form?: Record<string, string>, key = SECRET_KEY): Promise<T> {
  const answer = await fetch(`${STRIPE_URL}/v1/${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}
