import { html } from "hono/html";
import type { Page, WebSite } from "#connectors/toolkit/simulator/web-page.ts";
import type { StripeWorld } from "./state.ts";
import { find } from "./store.ts";
import type { Invoice, Subscription } from "./things/subscriptions.ts";

/** The look of Stripe's pages. */
export const STRIPE_SITE: WebSite = {
  name: "Stripe",
  light: { line: "#e3e8ee", quiet: "#687385", ground: "#f6f8fa", card: "#fff", ink: "#1a1f36" },
  dark: { line: "#3c4257", quiet: "#a3acba", ground: "#14171d", card: "#1e222b", ink: "#f6f8fa" },
  link: "#635bff",
  button: { ground: "#635bff", line: "#5149e0" },
};

/** An amount as people read it. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount / 100);
}

/** A day as people read it. */
export function day(at: number | null): string {
  return at === null ? "–" : new Date(at * 1000).toISOString().slice(0, 10);
}

/** A row of a table. */
export function row(...cells: unknown[]): Page {
  return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
}

/** A subscription in a row: what, its status, until when. */
export function subscriptionRow(world: StripeWorld, subscription: Subscription, action: unknown = ""): Page {
  const [item] = subscription.items.data;
  const price = find(world, "price", item?.price ?? null);
  const name = find(world, "product", price?.product ?? null)?.name ?? "";
  const end = subscription.cancel_at ?? item?.current_period_end ?? null;
  const until = subscription.cancel_at === null ? "renews" : "ends";
  return row(`${item?.quantity} × ${name}`, subscription.status, `${until} ${day(end)}`, action);
}

/** The invoices of a customer, each with its pages. */
export function invoiceRows(invoices: readonly Invoice[]): Page[] {
  return invoices
    .filter(({ status }) => status !== "draft")
    .map(({ id, number, created, total, currency, status }) =>
      row(html`<a href="/i/${id}">${number}</a>`, day(created), money(total, currency), status),
    );
}
