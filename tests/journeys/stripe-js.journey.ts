import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { STRIPE_URL } from "./stack.ts";

/** What the tests use of the stand-in for Stripe.js, as the page's own script would. */
type Told = {
  error?: { code: string };
  paymentMethod?: { id: string; card: { last4: string } };
  paymentIntent?: { status: string };
  setupIntent?: { status: string };
};
type Elements = { create(type: string): { mount(place: string): void }; submit(): Promise<Told> };
type StandIn = {
  elements(options: object): Elements;
  createPaymentMethod(order: object): Promise<Told>;
  confirmCardPayment(secret: string, order: object): Promise<Told>;
  confirmSetup(order: object): Promise<Told>;
};
/** The page's window. The function is not declared globally, for the types of the real script do that. */
type CardWindow = { Stripe(key: string): StandIn };
declare global {
  interface Window {
    standIn: StandIn;
    cardForm: Elements;
  }
}

const SECRET_KEY = "sk_test_51SimulatedHoldfastSecretKey0000000000";
const PUBLISHABLE_KEY = "pk_test_51SimulatedHoldfastPublishableKey000";
/** The policy of a page that allows nothing but the script and its calls. */
const POLICY = `default-src 'self'; script-src ${STRIPE_URL}; connect-src ${STRIPE_URL}; style-src 'self'`;

async function call<T>(path: string, form: Record<string, string>): Promise<T> {
  const headers = { Authorization: `Bearer ${SECRET_KEY}` };
  const answer = await fetch(`${STRIPE_URL}/v1/${path}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(form),
  });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as T;
}

const HTML = `<!doctype html><html lang="en"><link rel="icon" href="/icon.svg"><main id="form"></main>
  <script src="${STRIPE_URL}/v3/"></script></html>`;

/** Serves the page. A browser lets no page call this machine that did not come from it. */
async function servePage(): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html", "Content-Security-Policy": POLICY }).end(HTML);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

let served: Awaited<ReturnType<typeof servePage>>;
test.beforeAll(async () => {
  served = await servePage();
});
test.afterAll(() => served.server.close());

/** Opens the card form, types a card into it, and returns the payment method that it makes. */
async function typeCard(page: Page, number: string): Promise<string> {
  await page.goto(served.url);
  await page.evaluate((key) => {
    window.standIn = (window as unknown as CardWindow).Stripe(key);
    const options = { mode: "subscription", amount: 900, currency: "usd", paymentMethodCreation: "manual" };
    window.cardForm = window.standIn.elements({
      ...options,
      allowedPaymentMethodTypes: ["card"],
    });
    window.cardForm.create("payment").mount("#form");
  }, PUBLISHABLE_KEY);
  expect((await page.evaluate(() => window.cardForm.submit())).error?.code).toBe("incomplete_number");
  await expect(page.getByRole("alert")).toHaveText("Your card number is incomplete.");
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiration date").fill("12 / 39");
  await page.getByLabel("Security code").fill("123");
  await page.getByLabel("ZIP code").fill("10115");
  expect((await page.evaluate(() => window.cardForm.submit())).error).toBeUndefined();
  const made = await page.evaluate(() =>
    window.standIn.createPaymentMethod({
      elements: window.cardForm,
    }),
  );
  expect(made.paymentMethod?.card.last4).toBe(number.slice(-4));
  return made.paymentMethod?.id ?? "";
}

test("a card that wants its holder opens a challenge, which can be failed and completed", async ({
  page,
}) => {
  const card = await typeCard(page, "4000002760003184");
  const { id: customer } = await call<{ id: string }>("customers", {});
  await call(`payment_methods/${card}/attach`, { customer });
  const price = await call<{ id: string }>("prices", {
    ...{
      currency: "usd",
      unit_amount: "900",
      "product_data[name]": "Backup",
      "recurring[interval]": "month",
    },
  });
  type Made = { latest_invoice: { confirmation_secret: { client_secret: string } } };
  const made = await call<Made>("subscriptions", {
    ...{ customer, "items[0][price]": price.id, payment_behavior: "default_incomplete" },
    "expand[]": "latest_invoice.confirmation_secret",
  });
  const secret = made.latest_invoice.confirmation_secret.client_secret;
  const confirm = () =>
    page.evaluate(
      ([secret, card]) => window.standIn.confirmCardPayment(secret ?? "", { payment_method: card }),
      [secret, card] as const,
    );
  const failed = confirm();
  await page.getByRole("dialog").getByRole("button", { name: "Fail" }).click();
  expect((await failed).error?.code).toBe("payment_intent_authentication_failure");
  const paid = confirm();
  await page.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
  expect((await paid).paymentIntent?.status).toBe("succeeded");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the wrapper for React accepts it, and the parameter that the pinned version removed throws", async ({
  page,
}) => {
  await page.goto(served.url);
  const kinds = await page.evaluate((key) => {
    const standIn = (window as unknown as CardWindow).Stripe(key) as unknown as Record<string, unknown>;
    const names = [
      "elements",
      "createToken",
      "createPaymentMethod",
      "confirmCardPayment",
      "handleNextAction",
    ];
    return names.map((name) => typeof standIn[name]);
  }, PUBLISHABLE_KEY);
  expect(new Set(kinds)).toEqual(new Set(["function"]));
  const removed = page.evaluate(
    (key) =>
      void (window as unknown as CardWindow)
        .Stripe(key)
        .elements({ mode: "setup", currency: "usd", paymentMethodTypes: ["card"] }),
    PUBLISHABLE_KEY,
  );
  await expect(removed).rejects.toThrow("paymentMethodTypes");
});

test("a new card is set up with the form, and its challenge", async ({ page }) => {
  await typeCard(page, "4000002500003155");
  const { id: customer } = await call<{ id: string }>("customers", {});
  const setup = await call<{ client_secret: string }>("setup_intents", { customer, usage: "off_session" });
  const confirmed = page.evaluate(
    (clientSecret) =>
      window.standIn.confirmSetup({
        elements: window.cardForm,
        clientSecret,
        redirect: "if_required",
      }),
    setup.client_secret,
  );
  await page.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
  expect((await confirmed).setupIntent?.status).toBe("succeeded");
});
