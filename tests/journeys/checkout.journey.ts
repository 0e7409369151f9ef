import type { Locator, Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility.ts";
import {
  buyConfirmed,
  buyGithub,
  CARDS,
  confirmAtBank,
  createCoupon,
  enterCard,
  expectBought,
  fillCard,
  fillCompany,
  goOn,
  openCheckout,
  payButton,
  reachPayment,
} from "./checkout-steps.ts";
import { expect, test } from "./fixtures.ts";
import { APP_URL, JOB_MS } from "./stack.ts";
import { connect } from "./steps.ts";

test.describe.configure({ mode: "parallel" });

/** The payment provider's refusal to make a payment method. */
const REFUSED_CARD = {
  status: 402,
  headers: { "Access-Control-Allow-Origin": "*" },
  json: {
    error: { type: "card_error", code: "incorrect_cvc", message: "Your card's security code is incorrect." },
  },
};

/** Answers the next call of a name in place of the server. */
const stubOnce = (page: Page, name: string, answer: object) =>
  page.route(`**/api/payments/${name}`, (route) => route.fulfill({ json: { result: null, ...answer } }), {
    times: 1,
  });

/** A call of the payment API, by its last part. */
const isCall = (url: string, name: string) => new URL(url).pathname.endsWith(`/payments/${name}`);

test("[A-022] [B-034] [B-035] [B-042] [B-043] an owner buys with a card in three steps, and the subscription is active", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  const sent: string[] = [];
  page.on("request", (request) => {
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ""}`);
  });
  await connect(page);
  await openCheckout(page, "github");
  const step = page.getByRole("list", { name: "Steps of the checkout" }).locator("[aria-current=step]");
  const bill = page.getByRole("complementary");
  await expect(step).toHaveText("1Backup capacity");
  await expect(bill.getByText("GitHub Essential")).toBeVisible();
  await expect(bill.getByText("$12.00").first()).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await goOn(page).click();
  await expect(step).toHaveText("2Company details");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goBack();
  await expect(step).toHaveText("1Backup capacity");
  await test.step("[B-177] step 2 saves the company details, which are there again after a reload", async () => {
    const saving = page.waitForResponse((response) => isCall(response.url(), "stripe-update-company"));
    await reachPayment(page);
    expect((await saving).request().postDataJSON()).toMatchObject({
      ...{ name: "Meridian Freight GmbH", country: "DE", state: "HH", city: "Hamburg" },
      ...{ line1: "Sandtorkai 50", postal_code: "20457" },
    });
    await page.getByRole("button", { name: "Back" }).click();
    await page.reload();
    await expect(page.getByLabel("Company name")).toHaveValue("Meridian Freight GmbH");
    await expect(page.getByLabel("City")).toHaveValue("Hamburg");
    await goOn(page).click();
  });
  await expect(step).toHaveText("3Payment details");
  await test.step("[B-045] on a wide screen the bill is on the right, with plan, quantity, period, tax and total", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const text of [
      "GitHub Essential",
      "1 to 10 repositories, 1 month",
      "VAT, Germany",
      "Due today",
      "$14.28",
    ])
      await expect(bill).toContainText(text);
    const edge = async (place: Locator) => (await place.boundingBox())!;
    const heading = await edge(page.getByRole("heading", { name: "Payment details" }));
    expect((await edge(bill)).x).toBeGreaterThan(heading.x + heading.width);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
  await fillCard(page, CARDS.good);
  await test.step("[B-178] [B-179] [B-180] [B-184] [B-185] [B-191] paying buys once, waits, looks and leads home", async () => {
    const moments: { name: string; at: number }[] = [];
    page.on("requestfinished", (request) => {
      for (const name of ["stripe-create-subscriptions", "get-github-trial-status"])
        if (isCall(request.url(), name)) moments.push({ name, at: Date.now() });
    });
    const pay = bill.getByRole("button", { name: "Pay $14.28" });
    await pay.dblclick();
    await expect(page.getByRole("heading", { name: "Paid. Activating your subscription" })).toBeVisible();
    await expectBought(page);
    expect(moments.map(({ name }) => name)).toEqual([
      "stripe-create-subscriptions",
      "get-github-trial-status",
    ]);
    const [bought, looked] = moments;
    expect((looked?.at ?? 0) - (bought?.at ?? 0)).toBeGreaterThanOrEqual(4_900);
  });
  // The card's data go to the payment provider alone; the product learns the id that it makes of them.
  const ours = sent.filter((text) => text.startsWith(APP_URL));
  expect(
    ours.some((text) => text.includes("stripe-attach-user-payment-method") && text.includes("pm_")),
  ).toBe(true);
  expect(ours.filter((text) => /(?:4242\W{0,3}){4}|\bcvc\b/i.test(text))).toEqual([]);
  await page.goto("/subscriptions");
  const line = page.getByRole("region", { name: "GitHub" });
  await expect(line).toContainText("$12/m");
  await expect(line.getByText("active", { exact: true })).toBeVisible();
  await page.goto("/payment-history");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").nth(1)).toContainText("$14.28");
});

test("[B-181] a card whose bank asks for a confirmation buys after it, also a larger plan from file", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await connect(page);
  await buyConfirmed(page, { id: "github", label: "GitHub" });
  await openCheckout(page, "github");
  await page.getByRole("radio", { name: /^Pro/ }).check({ force: true });
  await goOn(page).click();
  await goOn(page).click();
  await expect(page.getByRole("radio", { name: /^Card on file/ })).toBeChecked();
  await payButton(page).click();
  await confirmAtBank(page);
  await expectBought(page);
});

test("[B-044] [B-182] [B-183] [B-275] a refused card is reported, and another one completes the same payment", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await enterCard(page, CARDS.chargeFails);
  const bill = page.getByRole("complementary");
  // Each refusal reads the plans again. The next press must not wait for that.
  await page.route("**/api/payments/get-platforms-trial-statuses", () => undefined);
  await test.step("[B-266] [B-269] [B-270] [B-272] a refused call is told in a dialog titled Error, in the server's words or ours", async () => {
    for (const [message, shown] of [
      ["You trying to subscribe to already active plan", "You trying to subscribe to already active plan."],
      ["The tide is too low.", "The tide is too low."],
      ["", "Stripe payment error."],
    ] as const) {
      await stubOnce(page, "stripe-create-subscriptions", { status: "failure", message, code: "err.test" });
      await payButton(page).click();
      const error = page.getByRole("dialog", { name: "Error" });
      await expect(error.getByText(shown, { exact: true })).toBeVisible();
      await error.getByRole("button", { name: "Close" }).last().click();
      await expect(error).toHaveCount(0);
    }
  });
  await test.step("[B-274] a decline without words has the fallback", async () => {
    const result = [
      {
        ...{ platform: "github", priceId: null, subscriptionId: null, secretOf: "payment", isPending: false },
        ...{ paymentIntentStatus: "requires_payment_method", clientSecret: "pi_1_secret_2", message: null },
      },
    ];
    await stubOnce(page, "stripe-create-subscriptions", { status: "success", result });
    await payButton(page).click();
    await expect(page.getByRole("dialog", { name: /^Payment failed/ })).toContainText(
      "Your card was declined for making repeated attempts or you have insufficient funds",
    );
    await page.unroute("**/api/payments/get-platforms-trial-statuses");
    await page.reload();
    await page.getByText("Another card").click();
    await fillCard(page, CARDS.chargeFails);
  });
  let purchases = 0;
  page.on("request", (request) => {
    if (isCall(request.url(), "stripe-create-subscriptions")) purchases += 1;
  });
  await payButton(page).click();
  const dialog = page.getByRole("dialog", {
    name: "Payment failed: Please review your payment details and funds.",
  });
  await dialog.getByRole("button", { name: "Update card and continue" }).click();
  await expect(page.getByText("Nothing was charged for GitHub.")).toBeVisible();
  await fillCard(page, CARDS.good);
  await bill.getByRole("button", { name: "Update card and continue" }).click();
  await expectBought(page);
  expect(purchases).toBe(1);
});

test("[B-271] a card that the bank refuses at once is reported in its words, and another one buys", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 402/);
  expect(person.email).toContain("@");
  await enterCard(page, "");
  const bill = page.getByRole("complementary");
  const notice = page
    .getByRole("main")
    .getByRole("alert")
    .filter({
      hasText: /^Your card details are not correct\. Please try again$/,
    });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (/stripe-(?:attach|create)/.test(request.url())) sent.push(request.url());
  });
  await test.step("[B-212] [B-276] without a card, or with an invalid number, a notice says so and nothing is sent", async () => {
    for (const number of ["", "4242 4242 4242 4241"]) {
      await page.getByLabel("Card number").fill(number);
      await payButton(page).click();
      await expect(notice).toBeVisible();
      await page.getByRole("button", { name: "Change", exact: true }).click();
      await goOn(page).click();
      await fillCard(page, number);
    }
    expect(sent).toEqual([]);
  });
  await test.step("[B-273] the same notice when no payment method could be created", async () => {
    await fillCard(page, CARDS.insufficient);
    await page.route("**/v1/payment_methods", (route) => route.fulfill(REFUSED_CARD), { times: 1 });
    await payButton(page).click();
    await expect(notice).toBeVisible();
    expect(sent).toEqual([]);
  });
  await payButton(page).click();
  const dialog = page.getByRole("dialog", { name: /^Payment failed/ });
  await expect(dialog).toContainText("insufficient funds");
  await dialog.getByRole("button", { name: "Update card and continue" }).click();
  await fillCard(page, CARDS.good);
  await bill.getByRole("button", { name: "Update card and continue" }).click();
  await expectBought(page);
});

test("[B-148] [B-208] [B-209] [B-210] [B-211] a coupon is checked when its field is left and by its button", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  const code = `SAVE${Date.now()}`;
  await createCoupon(code, 25);
  await connect(page);
  await openCheckout(page, "github");
  const bill = page.getByRole("complementary");
  const field = bill.getByLabel("Coupon");
  const verdict = bill.getByText(/^Your coupon is/);
  await expect(verdict).toHaveCount(0);
  const asked = () => page.waitForRequest((request) => isCall(request.url(), "stripe-get-promotion-code"));
  await expect(bill.getByText(/^Your coupon is/)).toHaveCount(0);
  await field.fill("WRONG");
  const [onBlur] = await Promise.all([asked(), field.blur()]);
  expect(new URL(onBlur.url()).searchParams.get("promotion_code")).toBe("WRONG");
  await expect(bill.getByText("Your coupon is invalid")).toBeVisible();
  await Promise.all([asked(), bill.getByRole("button", { name: "Check coupon" }).click()]);
  await field.fill(code);
  await bill.getByRole("button", { name: "Check coupon" }).click();
  await expect(bill.getByText("Your coupon is applied")).toBeVisible();
  await expect(bill.getByText(`Coupon ${code}`)).toBeVisible();
  await expect(bill.getByText("−$3.00")).toBeVisible();
  await expect(verdict).toHaveText("Your coupon is applied");
  await page.getByText("Annually").click();
  await expect(bill.getByText("−$28.80")).toHaveCount(2);
  await goOn(page).click();
  await test.step("[B-312] the tax in the bill follows the country, at the rate of the server", async () => {
    for (const [country, line, rate] of [
      ["FR", "VAT, France", 20],
      ["DE", "VAT, Germany", 19],
    ] as const) {
      const answer = page.waitForResponse((response) => isCall(response.url(), "stripe-get-tax-rate"));
      await page.getByLabel("Country").selectOption(country);
      expect(await (await answer).json()).toMatchObject({ result: { rate } });
      await expect(bill.getByText(line)).toBeVisible();
      await expect(bill.getByText(`${rate}\u00a0% of $86.40`)).toBeVisible();
    }
  });
  await fillCompany(page);
  await goOn(page).click();
  await fillCard(page, CARDS.good);
  await test.step("[A-023] [B-144] [B-145] a year is paid for, and the order carries company, items and code", async () => {
    const ordered = page.waitForRequest((request) => isCall(request.url(), "stripe-create-subscriptions"));
    await payButton(page).click();
    const { company, items, promotion_code, ...rest } = (await ordered).postDataJSON();
    expect(company).toMatchObject({ name: "Meridian Freight GmbH", country: "DE", city: "Hamburg" });
    const [{ quote, ...item }, ...others] = items;
    expect(item).toEqual({
      platform: "github",
      priceId: "github.essential.year",
      quantity: 10,
      paymentMethodType: "card",
    });
    expect([promotion_code, others, rest]).toEqual([code, [], {}]);
    await expectBought(page);
  });
});

test("[B-064] [B-174] a subscription is cancelled by its calendar, and kept again before its end", async ({
  page,
  person,
}) => {
  await buyGithub(page, person);
  await page.goto("/subscriptions");
  const line = page.getByRole("region", { name: "GitHub" });
  expect(await accessibilityFaults(page)).toEqual([]);
  await line.getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog", { name: "Cancel GitHub Essential?" });
  await expect(dialog.getByText("Versions can be restored and downloaded")).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel subscription" }).click();
  await expect(line.getByText("cancelling", { exact: true })).toBeVisible();
  await expect(line.getByRole("button", { name: /^Cancel/ })).toHaveAttribute("aria-disabled", "true");
  await page.reload();
  await expect(line.getByText("cancelling", { exact: true })).toBeVisible();
  await line.getByRole("button", { name: "Keep it running" }).click();
  await expect(line.getByText("active", { exact: true })).toBeVisible();
  await page.reload();
  await expect(line.getByText("active", { exact: true })).toBeVisible();
});

test("[B-066] the card is changed in its dialog, also when the page was reached by a link", async ({
  page,
  person,
}) => {
  await buyGithub(page, person);
  await page.goto("/");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Subscriptions" }).click();
  await expect(page.getByText("4242")).toBeVisible();
  await page.getByRole("button", { name: "Change card" }).click();
  const dialog = page.getByRole("dialog", { name: "Change card" });
  await fillCard(page, CARDS.mastercard);
  await dialog.getByRole("button", { name: "Save card" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Mastercard")).toBeVisible();
  await expect(page.getByText("4444")).toBeVisible();
  await test.step("[A-407] [A-461] with a card the billing address is saved, which is told, and the profile is read again", async () => {
    await page.goto("/settings");
    await expect(page.getByLabel("Company name")).toHaveValue("Meridian Freight GmbH");
    await page.getByLabel("City").fill("Bremen");
    const calls: string[] = [];
    page.on("response", (response) => {
      const name = new URL(response.url()).pathname.split("/").at(-1) ?? "";
      if (["stripe-update-company", "get-user-start-info"].includes(name)) calls.push(name);
    });
    await page.getByRole("button", { name: "Update billing address" }).click();
    await expect(page.getByText("Billing address was successfully updated")).toBeVisible();
    await expect.poll(() => calls).toEqual(["stripe-update-company", "get-user-start-info"]);
    await expect(page.getByLabel("City")).toHaveValue("Bremen");
  });
  await test.step("[B-316] a price is asked for once, half a second after the last change", async () => {
    await page.clock.install();
    await openCheckout(page, "github");
    let asked = 0;
    page.on("request", (request) => {
      if (isCall(request.url(), "stripe-preview-price-update")) asked += 1;
    });
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
    for (const quantity of ["20", "60", "120"]) {
      await page.getByLabel("Number of repositories").fill(quantity);
      await page.clock.runFor(499);
    }
    expect(asked).toBe(0);
    const request = page.waitForRequest((each) => isCall(each.url(), "stripe-preview-price-update"));
    await page.clock.runFor(10);
    expect((await request).postDataJSON()).toMatchObject({ quantity: 250 });
    await page.clock.runFor(5_000);
    expect(asked).toBe(1);
    await page.clock.resume();
  });
});

test("[B-267] [B-268] that there is no card yet is not told, neither for the price nor at first", async ({
  page,
  person,
}) => {
  await buyGithub(page, person);
  const none = {
    status: "failure",
    message: "No default payment method for this account",
    code: "err.test",
  };
  for (const call of ["stripe-preview-price-update", "get-stripe-default-payment-method"])
    await page.route(`**/api/payments/${call}`, (route) =>
      route.fulfill({ json: { ...none, result: null } }),
    );
  await openCheckout(page, "github");
  const priced = page.waitForResponse((response) => isCall(response.url(), "stripe-preview-price-update"));
  await page.getByLabel("Number of repositories").fill("300");
  await priced;
  const bill = page.getByRole("complementary");
  await expect(bill.getByText("$150.00").first()).toBeVisible();
  await expect(bill.getByText("The price is being checked")).toHaveCount(0);
  await expect(page.getByText(none.message)).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a reload, the back button, a second tab and a double click at any step buy once", async ({
  page,
  person,
  expectComplaint,
}) => {
  // The slower tab is told that another payment is under way, that the plan runs already, or to try again.
  expectComplaint(/status of (?:409|503)/);
  expect(person.email).toContain("@");
  await connect(page);
  await openCheckout(page, "github");
  const company = page.getByLabel("Company name");
  const payment = page.getByRole("heading", { name: "Payment details" });
  await test.step("step 1", async () => {
    await page.reload();
    await goOn(page).dblclick();
    await expect(company).toBeVisible();
    await expect(page.getByText("This field is required")).toHaveCount(0);
    await page.goBack();
    await expect(company).toHaveCount(0);
    await page.goForward();
  });
  await test.step("step 2", async () => {
    await expect(company).toBeVisible();
    await page.reload();
    await fillCompany(page);
    await goOn(page).dblclick();
    await expect(payment).toBeVisible();
    await page.goBack();
    await expect(company).toHaveValue("Meridian Freight GmbH");
    await page.goForward();
  });
  const other = await page.context().newPage();
  await test.step("step 3, in two tabs", async () => {
    await expect(payment).toBeVisible();
    await page.reload();
    await openCheckout(other, "github");
    await goOn(other).dblclick();
    await expect(other.getByLabel("Company name")).toHaveValue("Meridian Freight GmbH");
    await goOn(other).dblclick();
    for (const each of [page, other]) await fillCard(each, CARDS.good);
    await Promise.all([payButton(page).dblclick(), payButton(other).dblclick()]);
    await expect
      .poll(
        async () => (await Promise.all([page, other].map((each) => each.url()))).includes(`${APP_URL}/`),
        {
          timeout: JOB_MS,
        },
      )
      .toBe(true);
  });
  await test.step("the back button and a reload afterwards buy nothing more", async () => {
    await page.goBack();
    await page.reload();
    await page.goto("/payment-history");
    await expect(page.getByRole("row")).toHaveCount(2);
    await other.close();
  });
  await test.step("with a card on file, a double click on Continue does not pay", async () => {
    let purchases = 0;
    page.on("request", (request) => {
      if (isCall(request.url(), "stripe-create-subscriptions")) purchases += 1;
    });
    await openCheckout(page, "github");
    await page.getByRole("radio", { name: /^Pro/ }).check({ force: true });
    await goOn(page).click();
    await goOn(page).click();
    await expect(payButton(page)).not.toHaveAttribute("aria-disabled", "true");
    // The second half of a double click, on the button that took the place of Continue.
    await payButton(page).hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await expect(payment).toBeVisible();
    expect(purchases).toBe(0);
    await payButton(page).click();
    await expectBought(page);
    expect(purchases).toBe(1);
  });
});
