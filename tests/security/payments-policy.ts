import type { Line } from "./policy-line.ts";

const COMPANY = {
  name: "Meridian",
  country: "NO",
  state: "Vestland",
  city: "Bergen",
  line1: "Bryggen 1",
  postal_code: "5003",
};
const PLATFORMS = ["github", "gitlab", "trello", "jira", "notion"];
const ofPlatform = () => ({ body: { platform: "github" } });
/** Without a payment provider, a call that asks one is refused; the limits on attempts come first. */
const UNAVAILABLE = [503, 429];

/**
 * Calls about money. All but prices and states are the owner's alone (spec part 3 section 6). Ids are those of the payment
 * provider; that another customer's are answered as missing is tested in `core/payments`.
 */
export const PAYMENTS: Readonly<Record<string, Line>> = {
  "POST /api/payments/get-platforms-trial-statuses": { may: "members", ok: 200 },
  ...Object.fromEntries(
    PLATFORMS.flatMap((platform) =>
      ["GET", "POST"].map((method): [string, Line] => [
        `${method} /api/payments/get-${platform}-trial-status`,
        { may: "users", ok: 200 },
      ]),
    ),
  ),
  "GET /api/payments/stripe-get-promotion-code": {
    may: "owner",
    ok: UNAVAILABLE,
    send: () => ({ query: { promotion_code: "WELCOME" } }),
  },
  "GET /api/payments/stripe-validate-promotion-code": {
    may: "owner",
    ok: UNAVAILABLE,
    send: () => ({ query: { promotion_code: "WELCOME" } }),
  },
  "POST /api/payments/stripe-get-tax-rate": {
    may: "owner",
    ok: 200,
    send: () => ({ body: { country: "DE" } }),
  },
  "POST /api/payments/stripe-preview-price-update": {
    may: "owner",
    ok: 503,
    notOurs: ["priceId"],
    send: () => ({
      body: { platform: "github", priceId: "github.pro.month", quantity: 10, period: "month" },
    }),
  },
  "POST /api/payments/stripe-create-subscriptions": {
    may: "owner",
    ok: 503,
    notOurs: ["priceId"],
    send: () => ({
      body: { items: [{ platform: "github", priceId: "github.pro.month", quantity: 10 }] },
    }),
  },
  "GET /api/payments/get-stripe-default-payment-method": { may: "owner", ok: 404 },
  "POST /api/payments/stripe-attach-user-payment-method": {
    may: "owner",
    ok: UNAVAILABLE,
    notOurs: ["id"],
    send: () => ({ body: { id: "pm_1" } }),
  },
  "POST /api/payments/stripe-create-setup-intent": { may: "owner", ok: UNAVAILABLE },
  "POST /api/payments/stripe-pay-open-invoice": { may: "owner", ok: 404, send: ofPlatform },
  "POST /api/payments/stripe-cancel-subscription": { may: "owner", ok: 404, send: ofPlatform },
  "POST /api/payments/stripe-resume-subscription": { may: "owner", ok: 404, send: ofPlatform },
  "GET /api/payments/stripe-cancel-all-subscriptions": { may: "owner", ok: 200 },
  "POST /api/payments/stripe-end-subscription": { may: "owner", ok: 404, send: ofPlatform },
  "GET /api/payments/stripe-get-account": { may: "owner", ok: 200 },
  "PUT /api/payments/stripe-update-company": { may: "owner", ok: 409, send: () => ({ body: COMPANY }) },
  "DELETE /api/payments/stripe-delete-tax": {
    may: "owner",
    ok: 404,
    notOurs: ["tax_id"],
    send: () => ({ body: { tax_id: "txi_1" } }),
  },
  "GET /api/payments/stripe-get-user-payments": { may: "owner", ok: 200 },
  "GET /api/payments/stripe-subscription-latest-invoice/:id": {
    may: "owner",
    ok: 404,
    notOurs: ["id"],
    send: () => ({ path: "/api/payments/stripe-subscription-latest-invoice/sub_1" }),
  },
  "POST /api/payments/stripe-create-portal-session": { may: "owner", ok: 409 },
  // The signature decides.
  "POST /api/payments/stripe-webhook": { may: "everyone", ok: 400 },
};
