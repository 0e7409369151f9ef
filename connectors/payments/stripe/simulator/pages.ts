import { Hono } from "hono";
import { html } from "hono/html";
import { webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { dashboard } from "./dashboard.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { day, money, row, STRIPE_SITE } from "./page-parts.ts";
import { portalPages } from "./portal-pages.ts";
import type { StripeWorld } from "./state.ts";
import { find } from "./store.ts";
import type { Invoice } from "./things/subscriptions.ts";

/** The pages that Stripe hosts: an invoice and its PDF, a receipt, the portal, and a small dashboard. */
export function pages(world: StripeWorld): Hono {
  const app = new Hono();
  app.route("/", dashboard(world));
  app.route("/", portalPages(world));
  app.get("/i/:id", (c) => {
    const invoice = find(world, "invoice", c.req.param("id"));
    if (invoice === null) return c.notFound();
    return c.html(webPage(STRIPE_SITE, `Invoice ${invoice.number ?? ""}`, invoicePage(invoice)));
  });
  app.get("/i/:id/pdf", (c) => {
    const invoice = find(world, "invoice", c.req.param("id"));
    if (invoice === null) return c.notFound();
    const lines = [`Invoice ${invoice.number}`, `Status: ${invoice.status}`, ...wordsOf(invoice)];
    return c.body(invoicePdf(lines), 200, {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="Invoice-${invoice.number}.pdf"`,
    });
  });
  app.get("/receipts/:id", (c) => {
    const charge = find(world, "charge", c.req.param("id"));
    if (charge === null) return c.notFound();
    const { amount, currency, created, amount_refunded: back } = charge;
    const content = html`<h1>Receipt from Holdfast</h1>
      <table>${row("Amount paid", money(amount, currency))}${row("Date paid", day(created))}
      ${back > 0 ? row("Refunded", money(back, currency)) : ""}</table>`;
    return c.html(webPage(STRIPE_SITE, "Receipt", content));
  });
  return app;
}

function invoicePage(invoice: Invoice) {
  const { number, status, currency, lines } = invoice;
  const sums = sumsOf(invoice).map(([what, amount]) => row(what, money(amount, currency)));
  return html`<h1>Invoice ${number}</h1><p class="quiet">${status} · ${day(invoice.created)}</p>
    <table>${lines.data.map(({ description, amount }) => row(description, money(amount, currency)))}${sums}</table>
    <p><a href="/i/${invoice.id}/pdf">Download invoice</a></p>`;
}

function wordsOf(invoice: Invoice): string[] {
  const { currency, lines } = invoice;
  return [
    ...lines.data.map(({ description, amount }) => `${description}: ${money(amount, currency)}`),
    ...sumsOf(invoice).map(([what, amount]) => `${what}: ${money(amount, currency)}`),
  ];
}

function sumsOf({
  subtotal,
  total,
  amount_due: due,
  total_taxes,
  total_discount_amounts,
}: Invoice): [string, number][] {
  const sum = (amounts: { amount: number }[]) => amounts.reduce((all, { amount }) => all + amount, 0);
  return [
    ["Subtotal", subtotal],
    ["Discount", -sum(total_discount_amounts) || 0],
    ["Tax", sum(total_taxes)],
    ["Total", total],
    ["Amount due", due],
  ];
}
