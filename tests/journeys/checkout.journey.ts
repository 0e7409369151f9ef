import { accessibilityFaults } from "./accessibility.ts";
import {
  buyGithub,
  CARDS,
  createCoupon,
  enterCard,
  expectBought,
  fillCard,
  goOn,
  openCheckout,
  payButton,
  reachPayment,
} from "./checkout-steps.ts";
import { expect, test } from "./fixtures.ts";
import { APP_URL } from "./stack.ts";
import { connect } from "./steps.ts";

test.describe.configure({ mode: "parallel" });

/** A call of the payment API, by its last part. */
const isCall = (url: string, name: string) => new URL(url).pathname.endsWith(`/payments/${name}`);

test("[B-034] [B-035] [B-042] [B-043] an owner buys with a card in three steps, and the subscription is active", async ({
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
  await reachPayment(page);
  await expect(step).toHaveText("3Payment details");
  await expect(bill.getByText("VAT, Germany")).toBeVisible();
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

test("[B-181] a card whose bank asks for a confirmation buys after it", async ({ page, person }) => {
  expect(person.email).toContain("@");
  await enterCard(page, CARDS.asksAlways);
  await payButton(page).click();
  await page
    .getByRole("dialog", { name: "3-D Secure challenge" })
    .getByRole("button", { name: "Complete" })
    .click();
  await expectBought(page);
});

test("[B-044] [B-182] [B-183] [B-275] a refused card is reported, and another one completes the same payment", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await enterCard(page, CARDS.chargeFails);
  let purchases = 0;
  page.on("request", (request) => {
    if (isCall(request.url(), "stripe-create-subscriptions")) purchases += 1;
  });
  const bill = page.getByRole("complementary");
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

test("a card that the bank refuses at once is reported, and another one buys", async ({
  page,
  person,
  expectComplaint,
}) => {
  expectComplaint(/status of 402/);
  expect(person.email).toContain("@");
  await enterCard(page, CARDS.insufficient);
  const bill = page.getByRole("complementary");
  await payButton(page).click();
  const dialog = page.getByRole("dialog", { name: /^Payment failed/ });
  await expect(dialog).toContainText("insufficient funds");
  await dialog.getByRole("button", { name: "Update card and continue" }).click();
  await fillCard(page, CARDS.good);
  await bill.getByRole("button", { name: "Update card and continue" }).click();
  await expectBought(page);
});

test("[B-208] [B-209] [B-210] [B-211] a coupon is checked when its field is left and by its button", async ({
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
  const asked = () => page.waitForRequest((request) => isCall(request.url(), "stripe-get-promotion-code"));
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
});

test("[B-064] [B-174] a subscription is cancelled by its calendar, and kept again before its end", async ({
  page,
  person,
}) => {
  expect(person.email).toContain("@");
  await buyGithub(page);
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
  expect(person.email).toContain("@");
  await buyGithub(page);
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
});

test("a reload, a second tab and the back button at the payment buy once", async ({
  page,
  person,
  expectComplaint,
}) => {
  // The slower tab is told that another payment is under way, that the plan runs already, or to try again.
  expectComplaint(/status of (?:409|503)/);
  expect(person.email).toContain("@");
  await connect(page);
  await openCheckout(page, "github");
  await reachPayment(page);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Payment details" })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("Company name")).toHaveValue("Meridian Freight GmbH");
  await page.goForward();
  const other = await page.context().newPage();
  await openCheckout(other, "github");
  await goOn(other).click();
  await goOn(other).click();
  for (const each of [page, other]) await fillCard(each, CARDS.good);
  await Promise.all([payButton(page).click(), payButton(other).click()]);
  await expect
    .poll(async () => (await Promise.all([page, other].map((each) => each.url()))).includes(`${APP_URL}/`), {
      timeout: 60_000,
    })
    .toBe(true);
  await page.goto("/payment-history");
  await expect(page.getByRole("row")).toHaveCount(2);
});
