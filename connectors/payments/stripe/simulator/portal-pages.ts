import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { type Page, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { cancelInPortal } from "./collect.ts";
import { StripeFault } from "./errors.ts";
import { emitUpdate } from "./events.ts";
import { day, invoiceRows, row, STRIPE_SITE, subscriptionRow } from "./page-parts.ts";
import { plain } from "./render.ts";
import { attach, createMethod } from "./routes/cards.ts";
import { wholeAddress } from "./routes/customers.ts";
import { createTaxId } from "./routes/tax.ts";
import type { StripeWorld } from "./state.ts";
import { all, find, get } from "./store.ts";
import type { PortalConfiguration } from "./things/account.ts";
import type { Customer } from "./things/payments.ts";

type Visit = {
  id: string;
  customer: Customer;
  features: PortalConfiguration["features"];
  back: string | null;
};
type Fields = Record<string, string>;

/** The customer portal: what its configuration turns on (docs.stripe.com/customer-management). */
export function portalPages(world: StripeWorld): Hono {
  const app = new Hono();
  app.get("/p/session/:id", (c) => {
    const visit = visitOf(world, c.req.param("id"));
    return visit === null ? c.notFound() : c.html(webPage(STRIPE_SITE, "Billing", portalPage(world, visit)));
  });
  const action = (name: string, feature: string, act: (visit: Visit, fields: Fields) => void) =>
    app.post(`/p/session/:id/${name}`, async (c: Context) => {
      const visit = visitOf(world, c.req.param("id") ?? "");
      if (visit === null || !visit.features[feature]?.enabled) return c.notFound();
      const fields = (await c.req.parseBody()) as Fields;
      try {
        act(visit, fields);
      } catch (error) {
        if (!(error instanceof StripeFault)) throw error;
        return c.html(webPage(STRIPE_SITE, "Billing", portalPage(world, visit, error.message)), 400);
      }
      world.save();
      world.deliver();
      return c.redirect(`/p/session/${visit.id}`, 303);
    });
  action("card", "payment_method_update", ({ customer }, fields) => changeCard(world, customer, fields));
  action("address", "customer_update", ({ customer }, fields) => {
    const before = plain(world, customer);
    customer.address = wholeAddress(fields);
    emitUpdate(world, "customer.updated", customer, before);
  });
  action("tax-id", "customer_update", ({ customer }, { type = "", value = "" }) => {
    createTaxId(world, customer.id, type, value);
  });
  action("cancel", "subscription_cancel", ({ customer }, { subscription: id = "" }) => {
    const subscription = get(world, "subscription", id);
    if (subscription.customer === customer.id) cancelInPortal(world, subscription);
  });
  return app;
}

function visitOf(world: StripeWorld, id: string): Visit | null {
  const session = find(world, "billing_portal.session", id);
  const configuration = find(world, "billing_portal.configuration", session?.configuration ?? null);
  const customer = find(world, "customer", session?.customer ?? null);
  if (!session || !configuration || !customer) return null;
  return { id, customer, features: configuration.features, back: session.return_url };
}

function changeCard(world: StripeWorld, customer: Customer, { number, expiry = "" }: Fields): void {
  const [month, year] = expiry.split("/").map((part) => Number(part.trim()));
  const order = { number: number ?? "", exp_month: month, exp_year: year };
  const method = attach(world, createMethod(world, order, {}).id, customer.id);
  const before = plain(world, customer);
  customer.invoice_settings.default_payment_method = method.id;
  emitUpdate(world, "customer.updated", customer, before);
}

function portalPage(world: StripeWorld, { id, customer, features, back }: Visit, complaint = ""): Page {
  const own = <T extends { customer: string | null }>(things: T[]) =>
    things.filter((thing) => thing.customer === customer.id);
  const isOn = (feature: string) => features[feature]?.enabled === true;
  const form = (name: string, content: unknown) =>
    html`<form method="post" action="/p/session/${id}/${name}"><p>${content}</p></form>`;
  const cancelOf = (subscription: { id: string; cancel_at: number | null }) =>
    isOn("subscription_cancel") && subscription.cancel_at === null
      ? form(
          "cancel",
          html`<button name="subscription" value="${subscription.id}">Cancel subscription</button>`,
        )
      : "";
  const cards = own(all(world, "payment_method")).map(
    ({ id: card, card: { brand, last4, exp_month, exp_year } }) =>
      row(
        `${brand} •••• ${last4}`,
        `${exp_month}/${exp_year}`,
        card === customer.invoice_settings.default_payment_method ? "default" : "",
      ),
  );
  const field = (name: string, label: string, value: string | null = "") =>
    html`<label>${label} <input name="${name}" value="${value ?? ""}"></label> `;
  const { line1, city, postal_code, country } = customer.address ?? wholeAddress({});
  return html`<h1>${customer.name ?? customer.email ?? "Billing"}</h1>
    ${complaint === "" ? "" : html`<p role="alert">${complaint}</p>`}
    <h2>Subscriptions</h2>
    <table>${own(all(world, "subscription")).map((each) => subscriptionRow(world, each, cancelOf(each)))}</table>
    <h2>Payment methods</h2><table>${cards}</table>
    ${isOn("payment_method_update") ? form("card", html`${field("number", "Card number")}${field("expiry", "Expiration date")}<button class="primary">Add payment method</button>`) : ""}
    ${
      isOn("customer_update")
        ? html`<h2>Billing information</h2>
          ${form("address", html`${field("line1", "Street", line1)}${field("city", "City", city)}${field("postal_code", "Postcode", postal_code)}${field("country", "Country", country)}<button>Save</button>`)}
          <ul>${own(all(world, "tax_id")).map(({ type, value, created }) => html`<li>${type}: ${value} (${day(created)})</li>`)}</ul>
          ${form("tax-id", html`${field("type", "Tax ID type")}${field("value", "Tax ID")}<button>Add tax ID</button>`)}`
        : ""
    }
    ${isOn("invoice_history") ? html`<h2>Invoice history</h2><table>${invoiceRows(own(all(world, "invoice")))}</table>` : ""}
    ${back === null ? "" : html`<p><a href="${back}">Return to Holdfast</a></p>`}`;
}
