import { expect, type Page } from "@playwright/test";
import type { JourneyPerson } from "./person.ts";
import { APP_URL, STRIPE_URL } from "./stack.ts";
import { connect } from "./steps.ts";

/** Cards of the simulated payment provider. */
export const CARDS = {
  good: "4242424242424242",
  mastercard: "5555555555554444",
  asksAlways: "4000002760003184",
  insufficient: "4000000000009995",
  chargeFails: "4000000000000341",
} as const;

/** Opens the checkout of an app, as its buttons do. Their choice is in the local storage, which any file of the product can reach. */
export async function openCheckout(page: Page, platform: string): Promise<void> {
  await page.goto("/favicon.svg");
  await page.evaluate((id) => localStorage.setItem("checkout-platform", id), platform);
  await page.goto("/checkout");
  await expect(page.getByRole("heading", { name: "Your bill" })).toBeVisible();
}

/** The button of the step, in the bill. */
export const goOn = (page: Page) =>
  page.getByRole("complementary").getByRole("button", { name: "Continue", exact: true });

/** Fills in the company of step 2. */
export async function fillCompany(page: Page): Promise<void> {
  await page.getByLabel("Company name").fill("Meridian Freight GmbH");
  await page.getByLabel("Country").selectOption("DE");
  await page.getByLabel("State").selectOption("HH");
  await page.getByLabel("Address line 1").fill("Sandtorkai 50");
  await page.getByLabel("Postal code").fill("20457");
  await page.getByLabel("City").fill("Hamburg");
}

/** From step 1 to a card form that is ready. */
export async function reachPayment(page: Page): Promise<void> {
  await goOn(page).click();
  await fillCompany(page);
  await goOn(page).click();
  await expect(page.getByRole("heading", { name: "Payment details" })).toBeVisible();
}

/** Fills in the card form of the simulated provider. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiration date").fill("08 / 30");
  await page.getByLabel("Security code").fill("123");
  await page.getByLabel("ZIP code").fill("20457");
}

/** Connects GitHub and goes through the checkout up to a card form that is filled in. */
export async function enterCard(page: Page, number: string): Promise<void> {
  await connect(page);
  await openCheckout(page, "github");
  await reachPayment(page);
  await fillCard(page, number);
}

/** The button that pays, in the bill. */
export const payButton = (page: Page) =>
  page.getByRole("complementary").getByRole("button", { name: /^Pay \$/ });

/** Waits for the dashboard, where a purchase ends. */
export async function expectBought(page: Page): Promise<void> {
  await expect(page).toHaveURL(`${APP_URL}/`, { timeout: 40_000 });
}

/**
 * Buys a platform's plan with a card whose bank asks for a confirmation, from the checkout to a subscription that is shown
 * as active.
 */
export async function buyConfirmed(page: Page, platform: { id: string; label: string }): Promise<void> {
  await openCheckout(page, platform.id);
  await reachPayment(page);
  await fillCard(page, CARDS.asksAlways);
  await payButton(page).click();
  await confirmAtBank(page);
  await expectBought(page);
  await page.goto("/subscriptions");
  const line = page.getByRole("region", { name: platform.label });
  await expect(line.getByText("active", { exact: true })).toBeVisible();
}

/** Confirms a payment in the window of the simulated bank. */
export async function confirmAtBank(page: Page): Promise<void> {
  const challenge = page.getByRole("dialog", { name: "3-D Secure challenge" });
  await challenge.getByRole("button", { name: "Complete" }).click();
}

/** Connects GitHub and buys Essential for it with a good card, without the wizard and the checkout. */
export async function buyGithub(page: Page, person: JourneyPerson): Promise<void> {
  await connect(page);
  await buyByCall(person, { platform: "github", priceId: "github.essential.month", quantity: 10 });
  const statusOf = async () => {
    const { subscription } = await person.call<{ subscription: { status: string } }>(
      "POST",
      "payments/get-github-trial-status",
    );
    return subscription.status;
  };
  await expect.poll(statusOf).toBe("active");
}

/** Creates a coupon for everybody, with a code. */
export async function createCoupon(code: string, percentOff: number): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${STRIPE_URL}/__sim/stripe/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const coupon = await post("coupons", { percent_off: percentOff, duration: "once" });
  await post("promotion-codes", { code, promotion: { type: "coupon", coupon: coupon.id } });
}

/** Creates a payment method at the simulated provider, as its script does in a browser. */
export async function createCard(number: string): Promise<string> {
  const answer = await fetch(`${STRIPE_URL}/v1/payment_methods`, {
    method: "POST",
    headers: { Authorization: "Bearer pk_test_51SimulatedHoldfastPublishableKey000" },
    body: new URLSearchParams({
      ...{ type: "card", "card[number]": number, "card[cvc]": "123" },
      ...{ "card[exp_month]": "12", "card[exp_year]": "2031" },
    }),
  });
  if (!answer.ok) throw new Error(`No card: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

/** Buys with a good card without the screens, as another tab does. */
export async function buyByCall(
  person: JourneyPerson,
  item: { platform: string; priceId: string; quantity: number },
): Promise<void> {
  await person.call("POST", "payments/stripe-attach-user-payment-method", {
    id: await createCard(CARDS.good),
  });
  const address = { line1: "Sandtorkai 50", postal_code: "20457", city: "Hamburg" };
  await person.call("POST", "payments/stripe-create-subscriptions", {
    company: { name: "Meridian Freight GmbH", country: "DE", state: "HH", ...address },
    items: [item],
  });
}
